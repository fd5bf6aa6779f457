// The real sshd and Slurm on loopback, for tests: what it is called there, its faults, what is in its queue.
#pragma once

#include "core/remote/opensshtransport.h"
#include "core/remote/submitter.h"
#include "core/store/jobrecord.h"
#include "tests/support/temporaryfolder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wb::test {

/// What a local command printed.
struct LocalOutcome {
    int code = -1;
    std::string out;
};
LocalOutcome runHere(const std::string& shellLine);

/// A job as the queue has it.
struct QueuedJob {
    std::string number, state, comment, name;
};

/// Skips the test where there is no testbed; heals it and empties its queue before and after each test.
class OnTestbed : public testing::Test
{
protected:
    void SetUp() override;
    void TearDown() override;

    [[nodiscard]] std::string env(const std::string& name) const; ///< Of the testbed's own settings.
    [[nodiscard]] std::string sshConfig() const { return env("SLURM_TESTBED_SSH_CONFIG"); }
    /// A folder of this test on the "cluster", writable by the user of that host; its path is the same here.
    [[nodiscard]] std::string remoteFolder(const std::string& parent = "plain") const;

    [[nodiscard]] std::unique_ptr<remote::OpenSshTransport> transport(const std::string& alias = "testbed",
                                                                      remote::OpenSshOptions options = {}) const;
    void fault(const std::string& words) const;
    void heal() const;
    /// All jobs of the users of the testbed.
    void cancelAll() const;
    /// Local shell lines that act on the testbed's Slurm as its administrator.
    LocalOutcome slurm(const std::string& shellLine) const;
    /// All jobs of its users that the controller knows, ended ones too.
    [[nodiscard]] std::vector<QueuedJob> queue() const;
    /// How often each token of ours occurs there.
    [[nodiscard]] std::map<std::string, int> tokens() const;

    TemporaryFolder m_folder; ///< Here: state folder, sockets.

private:
    std::map<std::string, std::string> m_env;
};

} // namespace wb::test
