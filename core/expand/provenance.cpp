#include "core/expand/provenance.h"

#include "core/syntax/dottedpath.h"

namespace wb::expand {

using syntax::Layer;
using syntax::Member;
using syntax::Value;
using syntax::ValuePtr;

namespace {

class Collector
{
public:
    explicit Collector(const Variant& variant)
        : m_variant(variant)
    {
    }

    std::vector<Origin> run(const ValuePtr& config)
    {
        for (const Member& member : config->members)
            collect(member.value, syntax::joinedPath({}, member.key), member.keyRange);
        return std::move(m_out);
    }

private:
    void collect(const ValuePtr& value, const std::string& path, syntax::Range key)
    {
        if (value->isMapping() && !value->members.empty()) {
            for (const Member& member : value->members)
                collect(member.value, syntax::joinedPath(path, member.key), member.keyRange);
            return;
        }
        add(value, path, key);
        for (std::size_t i = 0; i < value->items.size(); ++i) {
            const ValuePtr& item = value->items[i];
            if (item->layer != value->layer)
                add(item, path + "[" + std::to_string(i) + "]", {});
        }
    }

    void add(const ValuePtr& value, std::string path, syntax::Range key)
    {
        Origin origin;
        origin.path = std::move(path);
        origin.value = value;
        origin.from = originName(m_variant, *value);
        origin.source = value->source;
        const bool isWritten = !value->isUnwritten();
        if (isWritten)
            origin.range = value->range.isEmpty() ? key : value->range;
        m_out.push_back(std::move(origin));
    }

    const Variant& m_variant;
    std::vector<Origin> m_out;
};

} // namespace

std::string originName(const Variant& variant, const Value& value)
{
    switch (value.layer) {
    case Layer::Base:
        return "base";
    case Layer::Override:
        return variant.section;
    case Layer::Sweep:
        return "sweep";
    case Layer::Cluster:
        return "cluster";
    case Layer::Default:
        return "default";
    case Layer::Setting:
        return "--set";
    case Layer::Computed:
        return "computed";
    }
    return {};
}

std::vector<Origin> provenance(const Variant& variant, const ValuePtr& config)
{
    if (!config || !config->isMapping())
        return {};
    return Collector(variant).run(config);
}

} // namespace wb::expand
