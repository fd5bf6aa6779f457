#include "core/render/block.h"

#include "core/base/arithmetic.h"
#include "core/base/text.h"
#include "core/syntax/pythontext.h"

#include <vector>

namespace wb::render {

using syntax::Kind;
using syntax::ValuePtr;

ValuePtr Block::find(std::string_view key) const
{
    const ValuePtr value = m_block ? m_block->find(key) : nullptr;
    return value && !value->isNull() ? value : nullptr;
}

std::string Block::textOr(std::string_view key, std::string_view otherwise) const
{
    const ValuePtr value = find(key);
    return value ? syntax::pythonText(*value) : std::string(otherwise);
}

std::string Block::filledOr(std::string_view key, std::string_view otherwise) const
{
    const ValuePtr value = find(key);
    const bool isNothing = !value || (value->kind == Kind::Integer && value->integer == 0) ||
                           (value->kind == Kind::Float && value->number == 0) || (value->isString() && value->text.empty());
    return isNothing ? std::string(otherwise) : syntax::pythonText(*value);
}

std::string Block::switchAt(std::string_view key) const
{
    const ValuePtr value = find(key);
    return value && value->kind == Kind::Bool && value->boolean ? "true" : "false";
}

std::string Block::listOr(std::string_view key, std::string_view separator, std::string_view otherwise) const
{
    const ValuePtr value = find(key);
    if (!value)
        return std::string(otherwise);
    if (!value->isSequence())
        return syntax::pythonText(*value);
    std::vector<std::string> parts;
    for (const ValuePtr& item : value->items)
        parts.push_back(syntax::pythonText(*item));
    return base::joined(parts, separator);
}

SaBenchLoad saBenchLoad(const Block& benchmark)
{
    return {.requestRate = benchmark.filledOr("req_rate", "inf"),
            .rangeRatio = benchmark.textOr("random_range_ratio", "0.8"),
            .prompts = benchmark.textOr("num_prompts_mult", "10"),
            .warmup = benchmark.textOr("num_warmup_mult", "2")};
}

namespace {

ValuePtr payloadOf(const recipe::Job& job)
{
    const ValuePtr payload = job.config ? syntax::at(job.config, "infra.nats_max_payload_mb") : nullptr;
    return payload && payload->kind == Kind::Integer ? payload : nullptr;
}

} // namespace

std::optional<std::int64_t> natsPayloadBytes(const recipe::Job& job)
{
    constexpr std::int64_t bytesOfMegabyte = 1024 * 1024;
    const ValuePtr payload = payloadOf(job);
    return payload && !payload->huge ? base::exactProduct(payload->integer, bytesOfMegabyte) : std::nullopt;
}

bool isPayloadTooLarge(const recipe::Job& job)
{
    return payloadOf(job) && !natsPayloadBytes(job);
}

} // namespace wb::render
