#include "core/syntax/pythontext.h"
#include "core/syntax/yaml.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

namespace wb::syntax {
namespace {

ValuePtr yaml(std::string text)
{
    return parse(std::make_shared<SourceText>(std::move(text))).root;
}

TEST(PythonText, OfANumberIsPythonsRepr)
{
    EXPECT_EQ(pythonText(0.75), "0.75");
    EXPECT_EQ(pythonText(100.0), "100.0");
    EXPECT_EQ(pythonText(-0.5), "-0.5");
    EXPECT_EQ(pythonText(0.0), "0.0");
    EXPECT_EQ(pythonText(1e-5), "1e-05");
    EXPECT_EQ(pythonText(0.0001), "0.0001");
    EXPECT_EQ(pythonText(1e15), "1000000000000000.0");
    EXPECT_EQ(pythonText(1e16), "1e+16");
    EXPECT_EQ(pythonText(1.5e300), "1.5e+300");
    EXPECT_EQ(pythonText(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(pythonText(std::numeric_limits<double>::infinity()), "inf");
}

TEST(PythonText, PrintsListsAndMapsAsPythonDoes)
{
    EXPECT_EQ(pythonText(*yaml("[1, a, true, null, 0.5]")), "[1, 'a', True, None, 0.5]");
    EXPECT_EQ(pythonText(*yaml("{a: it's, b: {c: 1}}")), "{'a': \"it's\", 'b': {'c': 1}}");
    EXPECT_EQ(pythonText(*yaml("it's")), "it's") << "a text by itself stays as it is";
}

} // namespace
} // namespace wb::syntax
