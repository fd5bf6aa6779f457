// What can be known before a job is submitted: each finding with where it was looked at and one of four states. "unknown" is what cannot be
// seen from there (a model on the nodes' own disks), and never an objection.
#pragma once

#include "core/recipe/job.h"
#include "core/remote/transport.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wb::remote {

enum class Location { Here, Login, Compute };
enum class CheckState { Ok, Absent, Unknown, Warning };
[[nodiscard]] std::string_view name(Location location); ///< "here", "login", "compute"
[[nodiscard]] std::string_view name(CheckState state);  ///< "ok", "absent", "unknown", "warning"

struct PreflightCheck {
    std::string id; ///< "partition", "model", ...: stable.
    Location location = Location::Login;
    CheckState state = CheckState::Unknown;
    std::string subject; ///< What was looked at: a path, a partition.
    std::string message; ///< One sentence.

    friend bool operator==(const PreflightCheck&, const PreflightCheck&) = default;
};

/// What the jobs of a call need, each once.
struct PreflightNeeds {
    /// Of one kind of job: partition, account and such may differ between variants.
    struct Request {
        std::string partition, account, qos, timeLimit;
        std::int64_t nodes = 0;
        std::int64_t gpusPerNode = 0;
        std::vector<std::string> directives; ///< As `render::directives`: for `sbatch --test-only`.

        friend bool operator==(const Request&, const Request&) = default;
    };
    struct Path {
        std::string id;   ///< "model", "container", "mount"
        std::string path; ///< Absolute.

        friend bool operator==(const Path&, const Path&) = default;
    };
    std::vector<Request> requests;
    std::vector<Path> paths;
    std::vector<PreflightCheck> known; ///< What is clear without looking: image names, ids of models.
    std::string remoteFolder;
    std::string preamble;
    std::string srtctl;                           ///< Program to look for; empty: not needed.
    std::string packVersion;                      ///< Of srtctl that the recipe language belongs to: "1", "2"; empty: not known.
    std::string remoteClusterFile, clusterSha256; ///< The cluster file there, and the hash of the one used here; empty: not compared.
    std::uint64_t uploadBytes = 0;
    bool asksNodes = false; ///< Also looks for the paths on a compute node, by a short srun.
};

/// Adds what a job needs.
void addNeeds(PreflightNeeds& needs, const recipe::Job& job, const recipe::Cluster& cluster);

/// One command to the login node (and one to a compute node, if asked). Never an error for what is found: only when the host cannot be
/// reached is the last check one that says so.
[[nodiscard]] std::vector<PreflightCheck> preflight(Transport& transport, const PreflightNeeds& needs, std::stop_token stop = {});

} // namespace wb::remote
