#include "core/expand/settingpath.h"

#include "core/base/text.h"
#include "core/syntax/dottedpath.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace wb::expand {

using syntax::Layer;
using syntax::Value;
using syntax::ValuePtr;

namespace {

class PathReader
{
public:
    explicit PathReader(std::string_view text)
        : m_text(text)
    {
    }

    SettingPath read()
    {
        if (m_text.empty())
            return failed("it is empty");
        if (m_text.front() == '[')
            return failed("it begins with an index");
        for (;;) {
            const bool isKey = m_at < m_text.size() && m_text[m_at] == '"' ? readQuoted() : readBare();
            if (!isKey || !readIndexes())
                return std::move(m_out);
            if (m_at == m_text.size())
                return std::move(m_out);
            if (m_text[m_at] != '.')
                return failed("a \".\" is missing behind " + base::inQuotes(m_text.substr(0, m_at)));
            if (++m_at == m_text.size())
                return failed("it ends with a \".\"");
        }
    }

private:
    SettingPath failed(std::string why)
    {
        fail(std::move(why));
        return std::move(m_out);
    }

    bool fail(std::string why)
    {
        m_out.fault = std::move(why);
        return false;
    }

    bool readQuoted()
    {
        const auto length = syntax::quotedKeyLength(m_text.substr(m_at));
        if (!length)
            return fail("a quote in it is not closed");
        constexpr std::size_t quotes = 2;
        m_out.steps.push_back({syntax::PathKey{m_text.substr(m_at + 1, *length - quotes), true}.text(), std::nullopt});
        m_at += *length;
        return true;
    }

    bool readBare()
    {
        const std::size_t end = std::min(m_text.find_first_of(".[", m_at), m_text.size());
        if (end == m_at)
            return fail("a key in it is empty");
        m_out.steps.push_back({std::string(m_text.substr(m_at, end - m_at)), std::nullopt});
        m_at = end;
        return true;
    }

    bool readIndexes()
    {
        while (m_at < m_text.size() && m_text[m_at] == '[') {
            const std::size_t end = m_text.find(']', m_at);
            const auto inside = end == std::string_view::npos ? std::string_view() : m_text.substr(m_at + 1, end - m_at - 1);
            const bool isNumber = !inside.empty() && inside.find_first_not_of("0123456789") == std::string_view::npos;
            const auto index = isNumber ? base::integerOf(inside) : std::nullopt;
            if (!index)
                return fail("what stands in brackets is not the number of an item");
            m_out.steps.push_back({{}, static_cast<std::size_t>(*index)});
            m_at = end + 1;
        }
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    SettingPath m_out;
};

using Steps = std::vector<SettingPath::Step>;

/// What a step leads to; null when nothing is there.
ValuePtr stepInto(const ValuePtr& value, const SettingPath::Step& step)
{
    if (!value || !step.index)
        return value ? value->find(step.key) : nullptr;
    return *step.index < value->items.size() ? value->items[*step.index] : nullptr;
}

ValuePtr withItem(const ValuePtr& list, std::size_t index, ValuePtr item)
{
    auto changed = std::make_shared<Value>(*list);
    changed->items[index] = std::move(item);
    return changed;
}

/// A mapping where there is none in the text: what is said about it has no place there.
ValuePtr newMapping()
{
    auto made = std::make_shared<Value>();
    made->kind = syntax::Kind::Mapping;
    made->style = syntax::Style::Block;
    made->layer = Layer::Setting;
    made->source = syntax::Source::CommandLine;
    return made;
}

ValuePtr with(const ValuePtr& value, const Steps& steps, std::size_t from, const ValuePtr& wanted)
{
    if (from == steps.size())
        return wanted;
    const SettingPath::Step& step = steps[from];
    const ValuePtr inner = stepInto(value, step);
    if (step.index && !inner)
        return nullptr;
    const ValuePtr changed = with(inner, steps, from + 1, wanted);
    if (!changed)
        return nullptr;
    if (step.index)
        return withItem(value, *step.index, changed);
    return syntax::with(value && value->isMapping() ? value : newMapping(), step.key, changed);
}

ValuePtr without(const ValuePtr& value, const Steps& steps, std::size_t from)
{
    const SettingPath::Step& step = steps[from];
    const ValuePtr inner = stepInto(value, step);
    if (!inner)
        return value;
    if (from + 1 < steps.size()) {
        const ValuePtr changed = without(inner, steps, from + 1);
        if (changed == inner)
            return value;
        return step.index ? withItem(value, *step.index, changed) : syntax::with(value, step.key, changed);
    }
    if (!step.index)
        return syntax::without(value, step.key);
    auto changed = std::make_shared<Value>(*value);
    changed->items.erase(changed->items.begin() + static_cast<std::ptrdiff_t>(*step.index));
    return changed;
}

} // namespace

SettingPath settingPath(std::string_view written)
{
    return PathReader(written).read();
}

ValuePtr at(const ValuePtr& document, const SettingPath& path)
{
    ValuePtr value = document;
    for (const SettingPath::Step& step : path.steps)
        value = stepInto(value, step);
    return value;
}

ValuePtr withSetting(const ValuePtr& document, const SettingPath& path, const ValuePtr& value)
{
    return with(document, path.steps, 0, value);
}

ValuePtr withoutSetting(const ValuePtr& document, const SettingPath& path)
{
    return without(document, path.steps, 0);
}

} // namespace wb::expand
