#include "core/plan/parallelcheck.h"

#include "core/base/text.h"
#include "core/plan/modes.h"
#include "core/plan/numbers.h"
#include "core/plan/topology.h"

#include <array>
#include <optional>
#include <span>
#include <string>

namespace wb::plan {

namespace {

/// Spellings of a flag, `_` written as `-`. The engines take short forms too, but not from a configuration.
using Spellings = std::array<std::string_view, 3>;

struct Factor {
    std::string_view noun;
    Spellings spellings;
};

/// Flags of an engine whose product is the number of GPUs of a worker.
struct Engine {
    std::string_view id;
    std::string_view block; ///< Key of the backend that holds the flags.
    std::array<Factor, 4> factors;
    std::string_view within; ///< When this flag is set, the factor `data` lies within the first one.
};

constexpr std::string_view dataNoun = "data";

constexpr Engine engines[] = {
    {"sglang",
     "sglang_config",
     {{{"tensor", {"tp-size", "tensor-parallel-size", "tp"}},
       {"pipeline", {"pp-size", "pipeline-parallel-size", "pp"}},
       {dataNoun, {"dp-size", "data-parallel-size", "dp"}}}},
     "enable-dp-attention"},
    {"vllm",
     "vllm_config",
     {{{"tensor", {"tensor-parallel-size"}},
       {"pipeline", {"pipeline-parallel-size"}},
       {"prefill context", {"prefill-context-parallel-size"}},
       {dataNoun, {"data-parallel-size"}}}},
     {}},
    {"trtllm",
     "trtllm_config",
     {{{"tensor", {"tensor-parallel-size"}}, {"pipeline", {"pipeline-parallel-size"}}, {"context", {"context-parallel-size"}}}},
     {}},
};

struct Written {
    std::string_view noun;
    std::string key;
    std::int64_t value = 1;
};

bool isOneOf(std::string_view key, const Spellings& spellings)
{
    for (const std::string_view spelling : spellings) {
        if (spelling.empty() || key.size() != spelling.size())
            continue;
        bool same = true;
        for (std::size_t i = 0; i < key.size() && same; ++i)
            same = (key[i] == '_' ? '-' : key[i]) == spelling[i];
        if (same)
            return true;
    }
    return false;
}

bool isTrue(const syntax::Value& flags, std::string_view flag)
{
    if (flag.empty())
        return false;
    for (const syntax::Member& member : flags.members)
        if (isOneOf(member.key, {flag}) && member.value->kind == syntax::Kind::Bool && member.value->boolean)
            return true;
    return false;
}

std::optional<Written> writtenFactor(const syntax::Value& flags, const Factor& factor)
{
    for (const syntax::Member& member : flags.members) {
        if (!isOneOf(member.key, factor.spellings))
            continue;
        if (member.value->kind == syntax::Kind::Integer)
            return Written{factor.noun, member.key, member.value->integer};
        if (member.value->isString())
            if (const auto number = base::integerOf(member.value->text))
                return Written{factor.noun, member.key, *number};
    }
    return std::nullopt;
}

void checkMode(Findings& findings, const Engine& engine, Mode mode)
{
    const recipe::Job& job = findings.job();
    const std::int64_t gpus = gpusPerWorker(job.resources, mode);
    const syntax::ValuePtr& flags = job.backend.of(mode).flags;
    if (!flags || workers(job.resources, mode) <= 0 || gpus <= 0)
        return;
    // Ranks that are launched one by one are compared exactly elsewhere.
    const bool isDataCounted = !isTrue(*flags, engine.within) && !dataParallel(job, mode);

    std::int64_t needed = 1;
    std::string said;
    std::optional<Written> first;
    for (const Factor& factor : engine.factors) {
        if (factor.noun.empty() || (factor.noun == dataNoun && !isDataCounted))
            continue;
        const auto written = writtenFactor(*flags, factor);
        if (!written || written->value <= 1)
            continue;
        needed = product(needed, written->value);
        said += (said.empty() ? "" : " x ") + std::string(factor.noun) + " " + std::to_string(written->value);
        if (!first)
            first = written;
    }
    if (!first || needed <= gpus)
        return;
    // A warning, not an error: upstream loads such a recipe, and what counts as a factor is the engine's affair, which changes.
    findings.add(syntax::Code::DoesNotFit, syntax::Severity::Warning, {flagKey(engine.block, mode, first->key)},
                 "The parallel sizes of each " + std::string(word(mode)) + " worker (" + said + ") need " + std::to_string(needed) +
                     " GPUs, but it has " + std::to_string(gpus) + ": the engine will not start.");
    findings.note({gpusKey(mode), workersKey(mode), nodesKey(mode)}, "This gives each of these workers its GPUs.");
}

} // namespace

void checkParallelSizes(Findings& findings)
{
    for (const Engine& engine : engines)
        if (engine.id == findings.job().backend.type)
            for (const Mode mode : allModes)
                checkMode(findings, engine, mode);
}

} // namespace wb::plan
