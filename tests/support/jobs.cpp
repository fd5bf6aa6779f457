#include "tests/support/jobs.h"

#include "core/recipe/lower.h"
#include "core/syntax/yaml.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace wb::test {

recipe::Job jobFrom(std::string_view yaml)
{
    const syntax::Parsed parsed = syntax::parse(std::make_shared<syntax::SourceText>(std::string(yaml), "recipe.yaml"));
    EXPECT_TRUE(parsed.complete && parsed.root) << "the recipe of the test does not parse:\n" << yaml;
    return recipe::lower(parsed.root);
}

} // namespace wb::test
