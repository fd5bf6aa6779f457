// A cluster for tests that need no Slurm: the scripts that would go to a login node run here, by /bin/sh, with stand-ins of a few lines for
// Slurm's commands in front of the path. What the stand-ins know lies as files in one folder, which tests change.
#pragma once

#include "core/remote/transport.h"
#include "tests/support/temporaryfolder.h"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace wb::test {

class LocalCluster final : public remote::Transport
{
public:
    LocalCluster();

    [[nodiscard]] Result<remote::RemoteOutcome> run(const remote::RemoteCommand& command, std::stop_token stop = {}) override;
    [[nodiscard]] Result<void> connect(std::stop_token stop = {}) override;
    [[nodiscard]] bool isConnected() override { return !error(); }
    void disconnect() override {}
    [[nodiscard]] std::string host() const override { return "login"; }

    [[nodiscard]] std::string home() const { return m_folder.below("home"); }
    /// Jobs get this state, in Slurm's words, when they are submitted.
    void setFirstState(const std::string& state) const;
    void setState(const std::string& jobId, const std::string& state) const;
    [[nodiscard]] std::string state(const std::string& jobId) const;
    void forget(const std::string& jobId) const; ///< As a queue does after a while.
    /// What sbatch says to each job, with exit code 1; empty: it takes them.
    void refuse(const std::string& words) const;
    /// Shell lines that run once for each job when it is submitted, with $id and $dir.
    void setBody(const std::string& lines) const;
    /// A srtctl that hands the recipe's name and comment to sbatch and answers as srtctl does; results are in "out" of the job's folder.
    void takeSrtctl() const;
    /// Every command fails with it; nothing: the connection is well again.
    void setError(const std::optional<Error>& error);

    [[nodiscard]] std::vector<std::string> titles() const; ///< Of the commands so far.
    [[nodiscard]] std::size_t jobCount() const;            ///< That were submitted.

private:
    [[nodiscard]] std::optional<Error> error() const;

    TemporaryFolder m_folder;
    mutable std::mutex m_mutex; ///< Of what follows.
    std::optional<Error> m_error;
    std::vector<std::string> m_titles;
    unsigned m_count = 0;
};

} // namespace wb::test
