#include "tests/cluster/testbed.h"

#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/remote/slurm.h"
#include "tests/support/corpus.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace wb::test {

namespace fs = std::filesystem;

LocalOutcome runHere(const std::string& shellLine)
{
    LocalOutcome outcome;
    FILE* pipe = ::popen(shellLine.c_str(), "r");
    if (!pipe)
        return outcome;
    std::array<char, 65536> buffer{};
    std::size_t got = 0;
    while ((got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
        outcome.out.append(buffer.data(), got);
    const int status = ::pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

void OnTestbed::SetUp()
{
    std::error_code ignored;
    if (!fs::exists(SRTWB_TESTBED_ENV, ignored))
        GTEST_SKIP() << "There is no testbed (a real sshd and Slurm on loopback): tests/cluster/testbed.sh says what it needs.";
    const std::string settings = bytesOf(SRTWB_TESTBED_ENV);
    for (const std::string_view line : base::splitAt(settings, '\n')) {
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos)
            m_env.emplace(line.substr(0, equals), line.substr(equals + 1));
    }
    heal();
    cancelAll();
}

void OnTestbed::TearDown()
{
    if (m_env.empty())
        return;
    heal();
    cancelAll();
}

void OnTestbed::cancelAll() const
{
    // scancel takes one user at a time, and says nothing of a list.
    const LocalOutcome done =
        slurm("scancel -u bench; for user in bench-fish bench-csh; do ! id $user >/dev/null || scancel -u $user; done");
    EXPECT_EQ(done.code, 0) << done.out;
}

std::string OnTestbed::env(const std::string& name) const
{
    const auto at = m_env.find(name);
    return at == m_env.end() ? std::string() : at->second;
}

std::string OnTestbed::remoteFolder(const std::string& parent) const
{
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    return env("SLURM_TESTBED_REMOTE") + '/' + parent + '/' + info->name() + '-' + std::to_string(::getpid());
}

std::unique_ptr<remote::OpenSshTransport> OnTestbed::transport(const std::string& alias, remote::OpenSshOptions options) const
{
    options.host = alias;
    options.configFile = sshConfig();
    // Sockets have short paths.
    options.controlFolder = "/tmp/srtwb-test-" + std::to_string(::getpid());
    options.connectTimeout = std::chrono::seconds(5);
    options.aliveInterval = std::chrono::seconds(1);
    return std::make_unique<remote::OpenSshTransport>(std::move(options));
}

void OnTestbed::fault(const std::string& words) const
{
    const LocalOutcome done = runHere("SLURM_TESTBED_DIR=" + env("SLURM_TESTBED_DIR") + " bash " +
                                      base::shellQuoted(env("SLURM_TESTBED_SCRIPT")) + " fault " + words + " 2>&1");
    ASSERT_EQ(done.code, 0) << words << ": " << done.out;
}

void OnTestbed::heal() const
{
    const LocalOutcome done =
        runHere("SLURM_TESTBED_DIR=" + env("SLURM_TESTBED_DIR") + " bash " + base::shellQuoted(env("SLURM_TESTBED_SCRIPT")) + " heal 2>&1");
    ASSERT_EQ(done.code, 0) << done.out;
}

LocalOutcome OnTestbed::slurm(const std::string& shellLine) const
{
    return runHere("export SLURM_CONF=" + env("SLURM_TESTBED_SLURM_CONF") + "; { " + shellLine + "; } 2>&1");
}

std::vector<QueuedJob> OnTestbed::queue() const
{
    const LocalOutcome listed = slurm("squeue -h -t all -o '%i|%T|%k|%j'");
    EXPECT_EQ(listed.code, 0) << listed.out;
    std::vector<QueuedJob> jobs;
    for (const std::string_view line : base::splitAt(listed.out, '\n')) {
        const std::vector<std::string_view> fields = base::splitAt(line, '|');
        if (fields.size() >= 4)
            jobs.push_back({std::string(fields[0]), std::string(fields[1]), std::string(fields[2]), std::string(fields[3])});
    }
    return jobs;
}

std::map<std::string, int> OnTestbed::tokens() const
{
    std::map<std::string, int> counts;
    for (const QueuedJob& job : queue())
        if (const std::string token = remote::tokenIn(job.comment); !token.empty())
            ++counts[token];
    return counts;
}

} // namespace wb::test
