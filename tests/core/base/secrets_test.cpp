#include "core/base/secrets.h"

#include <gmock/gmock.h>

namespace wb::base {
namespace {

TEST(MaskedSecrets, TakesWhatStandsBehindANameInEveryWriting)
{
    const std::pair<const char*, const char*> cases[] = {
        {"HF_TOKEN=abc x", "HF_TOKEN=******** x"},
        {"export API_KEY='it'\\''s' y", "export API_KEY='********' y"},
        {"--api-key abc --n 1", "--api-key ******** --n 1"},
        {"--api-key=\"a b\" c", "--api-key=\"********\" c"},
        {"[\"--api-key\", \"a b\"]", "[\"--api-key\", \"********\"]"},
        {"- --api-key\n- abc\n- --verbose\n", "- --api-key\n- ********\n- --verbose\n"},
        {"--token \\\n    abc", "--token \\\n    ********"},
        {"{\"password\": \"a\\\"b\", \"n\": 1}", "{\"password\": \"********\", \"n\": 1}"},
        {"'{\\\"api_key\\\": \\\"abc\\\"}'", "'{\\\"api_key\\\": \\\"********\\\"}'"},
        {"Authorization: Bearer abc\nx", "Authorization: Bearer ********\nx"},
        {"https://h/p?token=abc&x=1", "https://h/p?token=********&x=1"},
        {"http://me:word@host/a@b", "http://********@host/a@b"},
        {"owner=me;token=abc", "owner=me;token=********"},
    };
    for (const auto& [text, shown] : cases) {
        EXPECT_EQ(maskedSecrets(text), shown);
        EXPECT_EQ(maskedSecrets(shown), shown) << "twice changes nothing";
    }
}

TEST(MaskedSecrets, LeavesWhatTellsNothing)
{
    for (const char* text : {"key: value of a remark", "HF_TOKEN=$HF_TOKEN", "token=\"${1}\"", "USE_AUTH=true", "A_KEY=1",
                             "--api-key --other", "--api-key", "tokens=5", "token", "x.token", "a: b", ""})
        EXPECT_EQ(maskedSecrets(text), text);
}

TEST(ShownValue, IsMaskedAsAWholeAtSuchAKey)
{
    EXPECT_EQ(shownValue("environment.HF_TOKEN", "a b c"), "********");
    EXPECT_EQ(shownValue("decode: env.HF_TOKEN", "***REDACTED***"), "***REDACTED***");
    EXPECT_EQ(shownValue("benchmark.command", "A_KEY=abc run"), "A_KEY=******** run");
    EXPECT_EQ(shownValue("benchmark.isl", "1024"), "1024");
}

} // namespace
} // namespace wb::base
