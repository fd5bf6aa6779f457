#include "core/snapshot/startup/fields.h"

#include "core/base/text.h"

namespace wb::snapshot::startup {

Measured measuredAt(const base::json::Value& object, std::initializer_list<std::string_view> path, Clock clock, std::string_view missing)
{
    Measured out;
    out.clock = clock;
    out.seconds = numberAt(object, path);
    if (!out.seconds)
        out.note = missing;
    return out;
}

std::string engineName(std::string_view text)
{
    const std::string lowered = base::lowered(text);
    if (lowered.find("sglang") != std::string::npos)
        return "sglang";
    if (lowered.find("tensorrt") != std::string::npos || lowered.find("trt") != std::string::npos)
        return "tensorrt-llm";
    if (lowered.find("vllm") != std::string::npos)
        return "vllm";
    return lowered;
}

} // namespace wb::snapshot::startup
