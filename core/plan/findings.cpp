#include "core/plan/findings.h"

#include <utility>

namespace wb::plan {

namespace {

using syntax::ValuePtr;

bool isWritten(const ValuePtr& value)
{
    return value && !value->isUnwritten() && (!value->range.isEmpty() || value->range.begin != 0);
}

/// The value at the path or, when that is not written, the key of the nearest ancestor that is.
Place nearest(const ValuePtr& config, std::string_view path)
{
    Place place;
    place.path = path;
    ValuePtr value = config;
    std::string_view rest = path;
    while (value && !rest.empty()) {
        const std::size_t dot = rest.find('.');
        const syntax::Member* member = value->member(rest.substr(0, dot));
        if (!member)
            break;
        if (isWritten(member->value)) {
            const bool isLeaf = dot == std::string_view::npos;
            place.range = isLeaf || member->keyRange.isEmpty() ? member->value->range : member->keyRange;
            place.source = member->value->source;
            place.isWritten = isLeaf;
        }
        value = member->value;
        rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
    return place;
}

} // namespace

Place placeOf(const ValuePtr& config, std::initializer_list<std::string_view> paths)
{
    for (const std::string_view path : paths) {
        if (Place place = nearest(config, path); place.isWritten)
            return place;
    }
    return nearest(config, *paths.begin());
}

syntax::Diagnostic& Findings::add(syntax::Code code, syntax::Severity severity, std::initializer_list<std::string_view> paths,
                                  std::string message)
{
    const Place place = placeOf(m_job.config, paths);
    return m_out.emplace_back(syntax::Diagnostic{.code = code,
                                                 .severity = severity,
                                                 .range = place.range,
                                                 .source = place.source,
                                                 .path = place.path,
                                                 .variant = {},
                                                 .message = std::move(message),
                                                 .notes = {},
                                                 .fixes = {}});
}

Findings& Findings::note(std::initializer_list<std::string_view> paths, std::string message)
{
    const Place place = placeOf(m_job.config, paths);
    if (place.isWritten)
        m_out.back().notes.push_back({std::move(message), place.range, place.source});
    return *this;
}

} // namespace wb::plan
