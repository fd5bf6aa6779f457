#include "tests/support/longrecipe.h"

namespace wb::test {

std::string longRecipe()
{
    std::string text =
        "base:\n  name: long\n  model: {path: m, container: c, precision: fp8}\n  resources:\n    gpu_type: gb200\n    agg_nodes: 1\n"
        "    agg_workers: 1\n  backend:\n    type: sglang\n    sglang_config:\n      aggregated:\n        mem-fraction-static: 0.8\n";
    for (int i = 0; i < 7'142; ++i) {
        text += "override_" + std::to_string(i) +
                ":\n  resources:\n    agg_nodes: 2 # nodes\n  backend:\n    sglang_config:\n      aggregated:\n"
                "        mem-fraction-static: 0." +
                std::to_string(700 + i % 200) + "\n";
    }
    return text;
}

} // namespace wb::test
