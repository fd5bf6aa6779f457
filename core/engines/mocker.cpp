#include "core/engines/mocker.h"

#include "core/plan/paths.h"
#include "core/syntax/pythontext.h"

namespace wb::engines {

namespace {

enum class When {
    Always,
    Given,    ///< When it is not null.
    NotOne,   ///< When it is not 1.
    AboveOne, ///< When it is above 1.
    False,    ///< The bare flag when it is false.
};

/// A key of the backend that becomes a flag.
struct Option {
    std::string_view key;
    std::string_view flag;
    When when = When::Always;
    bool isFraction = false; ///< Printed with a point even when it is whole.
};

constexpr Option options[] = {
    {"engine_type", "--engine-type", When::Always, false},
    {"speedup_ratio", "--speedup-ratio", When::Always, true},
    {"data_parallel_size", "--data-parallel-size", When::Always, false},
    {"num_gpu_blocks_override", "--num-gpu-blocks-override", When::Always, false},
    {"max_num_seqs", "--max-num-seqs", When::Always, false},
    {"max_num_batched_tokens", "--max-num-batched-tokens", When::Always, false},
    {"decode_speedup_ratio", "--decode-speedup-ratio", When::NotOne, true},
    {"block_size", "--block-size", When::Given, false},
    {"num_workers", "--num-workers", When::AboveOne, false},
    {"startup_time", "--startup-time", When::Given, true},
    {"kv_transfer_bandwidth", "--kv-transfer-bandwidth", When::Given, true},
    {"kv_cache_dtype", "--kv-cache-dtype", When::Given, false},
    {"enable_prefix_caching", "--no-enable-prefix-caching", When::False, false},
    {"enable_chunked_prefill", "--no-enable-chunked-prefill", When::False, false},
    {"preemption_mode", "--preemption-mode", When::Given, false},
};

bool isDue(const Option& option, const syntax::Value& value)
{
    switch (option.when) {
    case When::Always:
    case When::Given:
        return !value.isNull();
    case When::NotOne:
        return value.number != 1.0;
    case When::AboveOne:
        return value.integer > 1;
    case When::False:
        return value.kind == syntax::Kind::Bool && !value.boolean;
    }
    return false;
}

} // namespace

Words mockerCommand(const Worker& worker)
{
    const plan::Process& process = worker.process;
    Words words{"python3", "-m", "dynamo.mocker", "--model-path", plan::modelArgument(worker.job)};
    if (process.mode != plan::Mode::Agg) {
        words.emplace_back("--disaggregation-mode");
        words.emplace_back(plan::name(process.mode));
    }
    if (process.mode == plan::Mode::Prefill && process.bootstrapPort) {
        words.emplace_back("--bootstrap-ports");
        words.push_back(std::to_string(*process.bootstrapPort));
    }
    for (const Option& option : options) {
        const syntax::ValuePtr value = worker.job.backend.options ? worker.job.backend.options->find(option.key) : nullptr;
        if (!value || !isDue(option, *value))
            continue;
        words.emplace_back(option.flag);
        if (option.when != When::False)
            words.push_back(option.isFraction ? syntax::pythonText(value->number) : syntax::pythonText(*value));
    }
    const Words own = Flags(worker.settings().flags).words();
    words.insert(words.end(), own.begin(), own.end());
    return words;
}

} // namespace wb::engines
