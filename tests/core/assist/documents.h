// Documents made of marked texts.
#pragma once

#include "core/assist/document.h"
#include "tests/support/marked.h"

#include <memory>
#include <string_view>

namespace wb::test {

inline constexpr std::string_view clusterText = R"(cluster: lab
default_account: bench
model_paths:
  dsr1: /models/DeepSeek-R1
  dsr1-fp4: /models/DeepSeek-R1-FP4
containers:
  sglang-dev: /images/sglang.sqsh
  nginx: /images/nginx.sqsh
)";

inline std::shared_ptr<const check::Facts> clusterFacts()
{
    static const auto made = std::make_shared<const check::Facts>(
        check::factsFor(check::readCluster(std::make_shared<syntax::SourceText>(std::string(clusterText), "/lab/srtslurm.yaml"))));
    return made;
}

/// Checked, as an editor has it a moment after the last key.
inline assist::Document checkedDocument(const std::shared_ptr<const syntax::SourceText>& source)
{
    return assist::Document(source, clusterFacts(), std::make_shared<const check::Checked>(check::check(source, *clusterFacts())));
}

/// Not checked yet.
inline assist::Document bareDocument(const std::shared_ptr<const syntax::SourceText>& source)
{
    return assist::Document(source, clusterFacts(), nullptr);
}

} // namespace wb::test
