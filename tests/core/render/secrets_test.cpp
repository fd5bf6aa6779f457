#include "core/render/artifactviews.h"
#include "core/render/secrets.h"
#include "tests/support/corpus.h"
#include "tests/support/jobs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

namespace wb::render {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Secrets, AreToldByTheirName)
{
    for (const std::string_view name :
         {"HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "apikey", "api-key", "DB_PASSWORD", "Authorization", "x.auth", "KEYS"})
        EXPECT_TRUE(isSecretName(name)) << name;
    for (const std::string_view name : {"max_tokens", "TOKENIZERS_PARALLELISM", "custom_tokenizer", "SGLANG_PER_TOKEN_GROUP_QUANT_8BIT_V2",
                                        "long-prefill-token-threshold", "nginx_keepalive_timeout", "author", "HOME"})
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

// Every hiding place of a secret: each value here must be gone from every artifact that is shown, whatever quotes it got.
constexpr std::string_view hostile = R"(name: n
model: {path: /m, container: /c.sqsh, precision: fp8}
resources: {gpu_type: h100, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}
backend:
  type: sglang
  aggregated_environment:
    AWS_SECRET_ACCESS_KEY: "Leak01'quote\"x"
    PROXY: "https://user:Leak02@proxy:3128/path"
  sglang_config:
    aggregated:
      api-key: Leak03-engine
      admin_api_key: [Leak04-list, Leak05-list]
      nested: {auth: {user: Leak06-user, deep: [{password: Leak07-deep}]}}
      extra: ["--api-key", "Leak08 with blank", "--hf-token=Leak09", "--verbose", "DB_PASSWORD=Leak10", "--key", "--flag"]
environment:
  HF_TOKEN: Leak11
  MY_CREDENTIAL: "Leak12"
  X_AUTH: Leak13
  CURL_OPTIONS: "-H 'Authorization: Bearer Leak14' -u x --password Leak15 https://a/b?token=Leak16&x=1"
  JSON_SETTINGS: '{"api_key": "Leak17", "n": 1}'
frontend: {type: dynamo, args: {api-key: Leak18}, env: {ROUTER_SECRET: Leak19}}
benchmark:
  type: custom
  command: "OPENAI_API_KEY=Leak20 run --api-key 'Leak21' --auth-token=\"Leak22\" --url http://me:Leak23@host/ --sort-key concurrency"
  env: {WANDB_API_KEY: Leak24}
sbatch_directives: {comment: "owner=me;token=Leak25"}
srun_options: {export: "ALL,SOME_SECRET=Leak26"}
)";

TEST(HostileSecrets, AreGoneFromEveryArtifactAndStayInWhatIsSent)
{
    const recipe::Job job = test::jobFrom(hostile);
    const plan::Plan plan = plan::plan(job, {});
    ASSERT_TRUE(plan.topology);
    const std::string remarked = std::string(hostile) + "# export LATER_TOKEN=Leak27 and --api-key Leak28\n# GITHUB_TOKEN: Leak29\n";
    std::size_t looked = 0;
    for (const Launcher launcher : {Launcher::Srtctl, Launcher::Portable}) {
        const Context context{.launcher = launcher, .resolvedYaml = remarked, .servicesFolder = "/srv"};
        const auto artifacts = render(job, {}, plan, context);
        ASSERT_TRUE(artifacts) << artifacts.error().message;
        const std::vector<std::string> shown = shownTexts(*artifacts, secretsOf(job, {}));
        bool isSent = false;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            isSent = isSent || (*artifacts)[i].bytes.find("Leak11") != std::string::npos;
            EXPECT_THAT(shown[i], Not(HasSubstr("Leak"))) << (*artifacts)[i].name << " for " << name(launcher);
            EXPECT_THAT(masked(shown[i], secretsOf(job, {})), testing::Eq(shown[i])) << "masking twice changes nothing";
            ++looked;
        }
        EXPECT_TRUE(isSent) << "what is sent has them";
    }
    EXPECT_GT(looked, 10U);
}

TEST(HostileSecrets, LeaveTheWordsAroundThem)
{
    const recipe::Job job = test::jobFrom(hostile);
    EXPECT_EQ(masked("run --sort-key concurrency --concurrency 4 --verbose --key --flag", secretsOf(job, {})),
              "run --sort-key ******** --concurrency 4 --verbose --key --flag")
        << "a word that is no secret by its look is masked behind such a name alone";
    EXPECT_EQ(masked("# the cache key: prefill first\nkeys: a\nlocal token=$1 auth=\"${X}\"\nlisten true; tokens: 5", {}),
              "# the cache key: prefill first\nkeys: a\nlocal token=$1 auth=\"${X}\"\nlisten true; tokens: 5");
}

TEST(HostileSecrets, OfSchemaTwoAreFoundInRolesArgumentsAndServices)
{
    const std::string recipe =
        "schema: 2\nname: n\nmodel: {path: /m, container: /c.sqsh}\nengine: {type: sglang}\n"
        "roles:\n  agg:\n    nodes: 1\n    workers: 1\n    args: {api-key: Leak01-args}\n    env: {HF_TOKEN: Leak02-env}\n"
        "services:\n  side: {type: generic, command: 'run --api-key Leak03-word', env: [{name: S_KEY, value: Leak04-pair}]}\n";
    recipe::Job job;
    job.written = job.config = test::jobFrom("name: n\n").config;
    job.written = test::jobFrom(recipe).config;
    EXPECT_THAT(masked(recipe, secretsOf(job, {})), Not(HasSubstr("Leak")));
}

TEST(HostileSecrets, AreFewInThePublicRecipes)
{
    SRTWB_NEEDS_SHARED("corpus/v1/recipes");
    std::size_t files = 0;
    std::vector<std::string> changed;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*test::shared("corpus/v1/recipes"))) {
        const std::filesystem::path& path = entry.path();
        if (path.extension() != ".yaml")
            continue;
        const std::string text = test::bytesOf(path);
        const std::string shown = masked(text, {});
        ++files;
        const auto at = std::mismatch(text.begin(), text.end(), shown.begin(), shown.end()).first;
        if (at != text.end())
            changed.push_back(path.filename().string() + ": " + std::string(at, at + std::min<std::ptrdiff_t>(60, text.end() - at)));
    }
    EXPECT_GT(files, 500U);
    EXPECT_THAT(changed, testing::IsEmpty()) << "nobody publishes secrets: what is masked there is masked in vain";
}

} // namespace
} // namespace wb::render
