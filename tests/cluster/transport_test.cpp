// The transport against a real sshd.
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/remote/fetcher.h"
#include "core/remote/logtail.h"
#include "core/remote/questions.h"
#include "core/remote/slurm.h"
#include "tests/cluster/testbed.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace wb::remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;

using ClusterTransport = test::OnTestbed;

RemoteCommand command(const std::string& script, const std::string& input = {})
{
    RemoteCommand out;
    out.title = "a test";
    out.script = script;
    out.input = input;
    out.timeout = milliseconds(30'000);
    return out;
}

TEST_F(ClusterTransport, RunsAScriptInEveryLoginShell)
{
    for (const std::string host : {"testbed", "testbed-fish", "testbed-csh", "testbed-jump", "testbed-agent"}) {
        auto ssh = transport(host);
        const auto outcome = ssh->run(command("x='it''s !bang $HOME'\nfor i in 1 2; do echo \"$i $x\"; done\necho bad >&2\nexit 7"));
        ASSERT_TRUE(outcome) << host << ": " << outcome.error().message << outcome.error().detail;
        EXPECT_EQ(outcome->exitCode, 7) << host;
        EXPECT_EQ(outcome->out, "1 its !bang $HOME\n2 its !bang $HOME\n") << host;
        EXPECT_EQ(outcome->err, "bad\n") << host;
    }
}

TEST_F(ClusterTransport, CarriesEveryByteBothWays)
{
    std::string bytes;
    for (int i = 0; i < 1 << 20; ++i)
        bytes += static_cast<char>(i * 7 + i / 251);
    for (const std::string host : {"testbed", "testbed-csh"}) {
        auto ssh = transport(host);
        const auto outcome = ssh->run(command("cat", bytes));
        ASSERT_TRUE(outcome) << outcome.error().message;
        EXPECT_TRUE(outcome->out == bytes) << host << ": " << outcome->out.size();
    }
}

TEST_F(ClusterTransport, ChatterOfProfilesIsNoPartOfTheAnswer)
{
    fault("banner");
    for (const std::string host : {"testbed", "testbed-fish", "testbed-csh"}) {
        auto ssh = transport(host);
        const auto outcome = ssh->run(command("echo 123; echo oops >&2"));
        ASSERT_TRUE(outcome) << host << ": " << outcome.error().message;
        EXPECT_EQ(outcome->out, "123\n") << host;
        EXPECT_EQ(outcome->err, "oops\n") << host;
    }
}

TEST_F(ClusterTransport, AScriptThatArrivesCutOffDoesNotRun)
{
    // The constant line reads as many bytes as it says: fewer are half a script.
    const std::string file = remoteFolder() + ".ran";
    const auto done = test::runHere("printf '%s' \"{ : >" + file + "; echo\" | ssh -F " + sshConfig() +
                                    " testbed \"exec /bin/sh -c 'eval \\\"\\$(dd bs=1 count=500 2>/dev/null)\\\"'\" 2>&1");
    EXPECT_NE(done.code, 0);
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(ClusterTransport, WhatSshRefusesIsTold)
{
    const auto codeOf = [&](const std::string& host) {
        const auto outcome = transport(host)->run(command("true"));
        EXPECT_FALSE(outcome) << host;
        return outcome ? Error{} : outcome.error();
    };
    EXPECT_EQ(codeOf("testbed-unknown").code, ErrorCode::Refused);
    const Error changed = codeOf("testbed-changed");
    EXPECT_EQ(changed.code, ErrorCode::Refused);
    EXPECT_THAT(changed.message, HasSubstr("another host key"));
    EXPECT_EQ(codeOf("testbed-wrongkey").code, ErrorCode::Denied);
    EXPECT_EQ(codeOf("testbed-refused").code, ErrorCode::Unreachable);
    EXPECT_EQ(codeOf("-oProxyCommand=touch /tmp/never").code, ErrorCode::Malformed);
}

TEST_F(ClusterTransport, AChangedKeyIsRefusedAlsoByAnOpenWorkbench)
{
    auto ssh = transport();
    ASSERT_TRUE(ssh->run(command("true")));
    fault("host-key");
    ssh->disconnect();
    const auto outcome = ssh->run(command("true"));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::Refused);
}

TEST_F(ClusterTransport, AsksOnceForThePassphraseOfASession)
{
    int asked = 0;
    Prompt seen;
    auto questions = Questions::open(m_folder.below("ask"), [&](const Prompt& prompt) {
        ++asked;
        seen = prompt;
        return std::optional<std::string>(env("SLURM_TESTBED_SSH_PASSPHRASE"));
    });
    ASSERT_TRUE(questions) << questions.error().message;
    OpenSshOptions options;
    options.asking = Asking::Helper;
    options.askpass = SRTWB_ASKPASS;
    options.askpassEnvironment = (*questions)->environment();
    for (int i = 0; i < 2; ++i) {
        auto ssh = transport("testbed-encrypted", options);
        const auto outcome = ssh->run(command("echo in"));
        ASSERT_TRUE(outcome) << outcome.error().message << outcome.error().detail;
        EXPECT_EQ(outcome->out, "in\n");
    }
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(seen.kind, PromptKind::Passphrase);
    EXPECT_EQ(seen.subject, env("SLURM_TESTBED_SSH_KEY_ENCRYPTED"));
    (*questions)->forget();
    auto ssh = transport("testbed-encrypted", options);
    ASSERT_TRUE(ssh->run(command("true")));
    EXPECT_EQ(asked, 2);
}

TEST_F(ClusterTransport, AnUnknownHostKeyIsShownAndARefusalEndsIt)
{
    std::vector<Prompt> prompts;
    auto questions = Questions::open(m_folder.below("ask"), [&](const Prompt& prompt) {
        prompts.push_back(prompt);
        return std::optional<std::string>();
    });
    ASSERT_TRUE(questions);
    OpenSshOptions options;
    options.asking = Asking::Helper;
    options.askpass = SRTWB_ASKPASS;
    options.askpassEnvironment = (*questions)->environment();
    const auto outcome = transport("testbed-unknown", options)->run(command("true"));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::Refused) << outcome.error().detail;
    ASSERT_EQ(prompts.size(), 1U);
    EXPECT_EQ(prompts.front().kind, PromptKind::HostKey);
    EXPECT_THAT(prompts.front().fingerprint, testing::StartsWith("SHA256:"));
}

TEST_F(ClusterTransport, CancellingEndsTheRemoteProcess)
{
    auto ssh = transport();
    ASSERT_TRUE(ssh->run(command("true")));
    const std::string file = remoteFolder() + ".pid";
    std::stop_source stop;
    std::jthread stopper([&] {
        while (!std::filesystem::exists(file))
            std::this_thread::sleep_for(milliseconds(10));
        stop.request_stop();
    });
    std::string pid;
    const auto outcome =
        ssh->run(command("sleep 300 & echo $! >" + file + ".tmp && mv " + file + ".tmp " + file + "; wait"), stop.get_token());
    const auto ended = steady_clock::now();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::Cancelled);
    pid = std::string(base::trimmed(test::bytesOf(file)));
    ASSERT_FALSE(pid.empty());
    // It would sleep for 300 s. A second is the budget; a machine that is busy with other things must not fail a test for it.
    while (std::filesystem::exists("/proc/" + pid) && steady_clock::now() - ended < milliseconds(30'000))
        std::this_thread::sleep_for(milliseconds(10));
    EXPECT_FALSE(std::filesystem::exists("/proc/" + pid)) << "the remote process goes on";
    EXPECT_TRUE(ssh->run(command("true"))) << "the connection is still good";
}

TEST_F(ClusterTransport, OneMasterCarriesAllCommands)
{
    auto ssh = transport();
    ASSERT_TRUE(ssh->run(command("true")));
    const auto first = ssh->run(command("echo \"$SSH_CONNECTION\""));
    const auto second = ssh->run(command("echo \"$SSH_CONNECTION\""));
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->out, second->out) << "the same TCP connection";
    const std::string folder = "/tmp/srtwb-test-" + std::to_string(::getpid());
    EXPECT_FALSE(std::filesystem::is_empty(folder));
    ssh.reset();
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << "the master ends with its owner";
}

TEST_F(ClusterTransport, ADroppedConnectionIsToldAndTheNextCommandConnectsAnew)
{
    auto ssh = transport();
    ASSERT_TRUE(ssh->run(command("true")));
    std::jthread dropper([&] {
        std::this_thread::sleep_for(milliseconds(300));
        fault("ssh-drop");
    });
    const auto outcome = ssh->run(command("echo begun; sleep 30"));
    dropper.join();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::Unreachable) << outcome.error().message;
    const auto again = ssh->run(command("echo back"));
    ASSERT_TRUE(again) << again.error().message << again.error().detail;
    EXPECT_EQ(again->out, "back\n");
}

TEST_F(ClusterTransport, APausedServerIsGivenUpInTime)
{
    auto ssh = transport();
    ASSERT_TRUE(ssh->run(command("true")));
    fault("ssh-pause");
    RemoteCommand asked = command("echo never");
    asked.timeout = milliseconds(2'000);
    const auto begin = steady_clock::now();
    const auto outcome = ssh->run(asked);
    ASSERT_FALSE(outcome);
    EXPECT_TRUE(outcome.error().code == ErrorCode::TimedOut || outcome.error().code == ErrorCode::Unreachable) << outcome.error().message;
    EXPECT_LT(steady_clock::now() - begin, milliseconds(15'000));
    heal();
    const auto again = ssh->run(command("echo back"));
    ASSERT_TRUE(again) << again.error().message << again.error().detail;
    EXPECT_EQ(again->out, "back\n");
}

TEST_F(ClusterTransport, FindsSlurmWhereOnlyLoginShellsHaveIt)
{
    fault("login-path");
    fault("banner");
    const auto outcome = transport()->run(command(slurmPrelude("") + "squeue -h; echo $?"));
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->out, "0\n") << outcome->err;
}

TEST_F(ClusterTransport, EveryCommandIsAudited)
{
    std::vector<AuditEntry> entries;
    OpenSshOptions options;
    options.audit = [&](const AuditEntry& entry) { entries.push_back(entry); };
    options.now = [] { return 1234; };
    auto ssh = transport("testbed", options);
    ASSERT_TRUE(ssh->run(command("exit 3")));
    ASSERT_FALSE(transport("testbed-refused", options)->run(command("true")));
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].outcome, "exit 3");
    EXPECT_EQ(entries[0].time, 1234);
    EXPECT_EQ(entries[0].host, "testbed");
    EXPECT_EQ(entries[1].outcome, "testbed-refused does not accept connections.");
}

TEST_F(ClusterTransport, ReadsTheConfigurationOfTheUser)
{
    OpenSshOptions options;
    options.host = "testbed-jump";
    options.configFile = sshConfig();
    const auto config = resolvedConfig(options);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_THAT(*config, testing::Contains(std::pair<std::string, std::string>("proxyjump", "testbed")));
    EXPECT_THAT(hostAliases(test::bytesOf(sshConfig())), testing::Contains("testbed-fish"));
}

TEST_F(ClusterTransport, FollowsLogsThatGrowBeginAnewAndAreNotThereYet)
{
    auto ssh = transport();
    const std::string folder = remoteFolder("it's \"odd\" $HOME; #x");
    ASSERT_TRUE(
        ssh->run(command("mkdir -p " + base::shellQuoted(folder) + "; cd " + base::shellQuoted(folder) + "; printf 'one\\ntwo' >a.log")));
    auto pieces = readTails(*ssh, {{folder + "/a.log", 0}, {folder + "/later.log", 0}}, 1 << 20);
    ASSERT_TRUE(pieces) << pieces.error().message;
    EXPECT_EQ((*pieces)[0].bytes, "one\ntwo");
    EXPECT_FALSE((*pieces)[1].exists);
    ASSERT_TRUE(ssh->run(command("cd " + base::shellQuoted(folder) + "; echo more >>a.log; echo there >later.log")));
    pieces = readTails(*ssh, {{folder + "/a.log", 7}, {folder + "/later.log", 0}}, 1 << 20);
    ASSERT_TRUE(pieces);
    EXPECT_EQ((*pieces)[0].bytes, "more\n");
    EXPECT_EQ((*pieces)[1].bytes, "there\n");
    EXPECT_LT((*pieces)[0].idleSeconds, 60);
    ASSERT_TRUE(ssh->run(command("cd " + base::shellQuoted(folder) + "; echo x >a.log")));
    pieces = readTails(*ssh, {{folder + "/a.log", 12}}, 1 << 20);
    ASSERT_TRUE(pieces);
    EXPECT_TRUE((*pieces)[0].wasReplaced);
    EXPECT_EQ((*pieces)[0].bytes, "x\n");
}

TEST_F(ClusterTransport, AFolderThatCannotBeReadIsNoEmptyOne)
{
    auto ssh = transport();
    const std::string folder = remoteFolder("with space");
    ASSERT_TRUE(ssh->run(command("mkdir -p " + base::shellQuoted(folder + "/closed") + "; cd " + base::shellQuoted(folder) +
                                 "; echo x >a.log; chmod 000 closed; mkdir -m 000 other")));
    const auto files = remoteFiles(*ssh, folder);
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_EQ(files->size(), 1U) << "a folder below that may not be entered is left out";
    for (const std::string_view name : {"/other", "/nowhere"}) {
        const auto none = remoteFiles(*ssh, folder + std::string(name));
        ASSERT_FALSE(none) << name;
        EXPECT_THAT(none.error().message, HasSubstr("cannot be read"));
    }
}

TEST_F(ClusterTransport, AFetchThatBrokeOffGoesOnAndIsVerified)
{
    auto ssh = transport();
    const std::string folder = remoteFolder("with space");
    ASSERT_TRUE(ssh->run(command("mkdir -p " + base::shellQuoted(folder + "/logs/ünï") + "; cd " + base::shellQuoted(folder) +
                                 "; head -c 20000000 /dev/urandom >logs/big.json; echo '{}' >'logs/ünï/a b.json'; echo x >worker.out")));
    const auto files = remoteFiles(*ssh, folder);
    ASSERT_TRUE(files) << files.error().message;
    ASSERT_EQ(files->size(), 3U);
    const FetchPlan plan = planFetch(*files, {});
    EXPECT_EQ(plan.wanted.size(), 2U);
    const std::string here = m_folder.below("fetched");
    std::stop_source stop;
    const auto broken = fetchFiles(
        *ssh, folder, plan, here, [&](std::uint64_t) { stop.request_stop(); }, stop.get_token());
    ASSERT_FALSE(broken);
    EXPECT_FALSE(std::filesystem::exists(here + "/logs/big.json"));
    EXPECT_GT(std::filesystem::file_size(here + "/logs/.big.json.part"), 0U);
    std::uint64_t bytes = 0;
    const auto fetched = fetchFiles(*ssh, folder, plan, here, [&](std::uint64_t soFar) {
        EXPECT_GT(soFar, bytes);
        bytes = soFar;
    });
    ASSERT_TRUE(fetched) << fetched.error().message;
    EXPECT_EQ(fetched->files.size(), 2U);
    EXPECT_LT(bytes, 20'000'000U) << "what was there was not fetched again";
    EXPECT_TRUE(test::bytesOf(here + "/logs/big.json") == test::bytesOf(folder + "/logs/big.json"));
    EXPECT_FALSE(std::filesystem::exists(here + "/logs/.big.json.part"));
    const auto again = fetchFiles(*ssh, folder, plan, here);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->unchanged, 2U);
}

} // namespace
} // namespace wb::remote
