// What a run tells about itself beside its results. Of srt-slurm: <jobid>.json, resource_snapshot.json, recipe.lock.yaml, config.yaml. Of
// genai-bench: experiment_metadata.json. Of MLPerf: systems/<system>.json, for a result below results/<system>/.
//
// The files are looked for in the folder of the result, in the run's folder when the result lies in its logs/ or below, and, for files
// that were collected into one folder, under the same prefix ("nightly-15902__recipe.lock.yaml").
#pragma once

#include "core/results/identity.h"
#include "core/results/point.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::results {

/// Names of files in the folder of a run of srt-slurm.
namespace runfile {
inline constexpr std::string_view lock = "recipe.lock.yaml";
inline constexpr std::string_view config = "config.yaml";
inline constexpr std::string_view snapshot = "resource_snapshot.json";
inline constexpr std::string_view fingerprintPrefix = "fingerprint_"; ///< And ".json" at the end.
} // namespace runfile

struct RunFacts {
    std::string folder; ///< The run's folder (or folder and prefix); empty when the file lies in no run.
    std::optional<std::string> jobId, jobName, model, engine, precision, hardware, recipe;
    std::optional<double> isl, osl, tp;
    std::optional<double> timeToReadyS, accuracy; ///< As in Point.
    std::optional<std::string> accuracyTask;
    Gpus gpus;
    bool simulated = false;
    std::map<std::string, Provenance> origins; ///< As in Point.
    std::vector<IdentityFact> identity;        ///< Empty when the recipe declares none.
    std::vector<std::string> notes;            ///< Sources that contradict each other, relaunched workers, accuracy scores: sentences.

    [[nodiscard]] bool isEmpty() const { return folder.empty(); }
};

/// Looks for the run of a result file; remembers what it read, so that a folder is read once. Not for several threads at once.
class RunFinder
{
public:
    /// `format`: the importer that read the result; facts of a tool are for its own results.
    [[nodiscard]] const RunFacts& factsFor(const std::string& path, std::string_view format = {});

    /// The files from which a result's facts come, with their sizes and times: when it changes, the result must be read again.
    [[nodiscard]] const std::string& stampFor(const std::string& path);

private:
    struct Place {
        std::string folder, prefix; ///< Folder empty: no run.
    };
    [[nodiscard]] Place placeOf(const std::string& path);
    [[nodiscard]] std::string runFolderOf(const std::string& folder);
    bool holdsRun(const std::string& folder);
    const std::string& besideOf(const std::string& path);

    std::map<std::string, RunFacts> m_runs;       ///< By folder and prefix.
    std::map<std::string, std::string> m_stamps;  ///< As m_runs.
    std::map<std::string, std::string> m_folders; ///< Folder of results -> folder of the run.
    std::map<std::string, bool> m_holdsRun;
    std::map<std::string, std::string> m_beside;   ///< Folder and prefix of results -> a tool's facts file; empty: none.
    std::map<std::string, RunFacts> m_besideFacts; ///< By that file.
};

/// Fills what the point does not know itself, and tells where the two disagree.
void completeFrom(Point& point, const RunFacts& facts);

} // namespace wb::results
