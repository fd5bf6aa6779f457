#include "core/render/secrets.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

namespace wb::render {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Secrets, AreToldByTheirName)
{
    for (const std::string_view name :
         {"HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "apikey", "api-key", "DB_PASSWORD", "Authorization", "x.auth", "KEYS"})
        EXPECT_TRUE(isSecretName(name)) << name;
    for (const std::string_view name :
         {"max_tokens", "TOKENIZERS_PARALLELISM", "custom_tokenizer", "nginx_keepalive_timeout", "author", "HOME"})
        EXPECT_FALSE(isSecretName(name)) << name;
}

TEST(Secrets, AreMaskedWhereverTheyStand)
{
    const recipe::Job job = test::jobFrom(R"(name: n
model: {path: /m, container: c, precision: fp8}
resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}
backend: {type: sglang, aggregated_environment: {API_KEY: "it's \"long\" enough"}}
environment: {HF_TOKEN: hf_abcdefgh, PIN_KEY: "1", OTHER_TOKEN: $HF_TOKEN, PROXY: "http://me:word@proxy:3128/x"}
frontend: {type: dynamo}
)");
    const std::vector<Secret> secrets = secretsOf(job, {});
    const std::string text =
        "export HF_TOKEN=hf_abcdefgh\nexport API_KEY='it'\\''s \"long\" enough'\n"
        "{\"API_KEY\": \"it's \\\"long\\\" enough\"}\nPIN_KEY=1 x=1\nOTHER_TOKEN=$HF_TOKEN\nPROXY=http://me:word@proxy:3128/x\n"
        "see https://host/a@b and ssh://git@host";
    EXPECT_EQ(masked(text, secrets),
              "export HF_TOKEN=********\nexport API_KEY=********\n{\"API_KEY\": \"********\"}\nPIN_KEY=******** x=1\n"
              "OTHER_TOKEN=$HF_TOKEN\nPROXY=http://********@proxy:3128/x\nsee https://host/a@b and ssh://********@host");
}

TEST(Secrets, ThatAreNumbersOrListsAreMaskedToo)
{
    const recipe::Job job = test::jobFrom("name: n\nenvironment: {DB_PASSWORD: 12345678, OLD_KEY: 0x1234567, SHORT_AUTH: 7}\n"
                                          "benchmark: {type: custom, keys: [first-one, $SECOND], verbose_auth: true}\n");
    EXPECT_EQ(masked("DB_PASSWORD=12345678 0x1234567 19088743 SHORT_AUTH=7 7 first-one $SECOND verbose_auth: true", secretsOf(job, {})),
              "DB_PASSWORD=******** ******** ******** SHORT_AUTH=******** 7 ******** $SECOND verbose_auth: true");
}

TEST(Secrets, OfTheClusterFileAreAmongThem)
{
    recipe::Cluster cluster;
    cluster.config = test::jobFrom("name: n\nreporting: {s3: {bucket: b, access_key_id: AKIAEXAMPLE, secret_access_key: abcdef}}\n").config;
    const std::string shown = masked("AKIAEXAMPLE abcdef b", secretsOf(test::jobFrom("name: n\n"), cluster));
    EXPECT_EQ(shown, "******** ******** b");
}

} // namespace
} // namespace wb::render
