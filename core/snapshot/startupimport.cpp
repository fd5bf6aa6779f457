#include "core/snapshot/startupimport.h"

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/snapshot/startup/agentlog.h"
#include "core/snapshot/startup/exported.h"
#include "core/snapshot/startup/nightly.h"
#include "core/snapshot/startup/runresult.h"
#include "core/snapshot/startup/srtlifecycle.h"
#include "core/snapshot/startup/table.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace wb::snapshot {

namespace {

namespace fs = std::filesystem;

/// Logs of agents grow; more than this in memory helps nobody.
constexpr std::uintmax_t largestFile = std::uintmax_t{512} << 20;

constexpr std::array importers = {
    StartupImporter{"startup-export", "Export of this program (JSON)", startup::isExportedJson, startup::readExportedJson},
    StartupImporter{"startup-export-csv", "Export of this program (CSV)", startup::isExportedCsv, startup::readExportedCsv},
    StartupImporter{"run-result", "RunResult of Snapshot's benchmark tool", startup::isRunResult, startup::readRunResult},
    StartupImporter{"nightly", "Nightly end-to-end result or index of Snapshot", startup::isNightly, startup::readNightly},
    StartupImporter{"srt-lifecycle", "Lifecycle of an srt-slurm run", startup::isSrtLifecycle, startup::readSrtLifecycle},
    StartupImporter{"agent-log", "Timing summaries of Snapshot's agent log", startup::isAgentLog, startup::readAgentLog},
    StartupImporter{"startup-csv", "Table of startup times (CSV)", startup::isCsvTable, startup::readCsvTable},
    StartupImporter{"startup-markdown", "Published table of startup times (Markdown)", startup::isMarkdownTable,
                    startup::readMarkdownTable},
};

constexpr std::array<std::pair<std::string_view, Clock>, 5> clocks = {{
    {"kubernetes", Clock::Kubernetes},
    {"agent", Clock::Agent},
    {"events", Clock::Events},
    {"published", Clock::Published},
    {"log", Clock::Log},
}};

bool isExport(std::string_view format)
{
    return format.starts_with("startup-export");
}

/// A nightly file and its line in the index are the same run; of exports the runs keep the format that they had.
std::string keyOf(const StartupRun& run)
{
    return run.format + "\n" + run.id + (run.format == "nightly" || run.format == "srt-lifecycle" ? "" : "\n" + run.sha256);
}

class Collector
{
public:
    void add(const std::string& path, bool isNamed)
    {
        auto bytes = base::readFile(path, largestFile);
        if (!bytes) {
            m_out.files.push_back({path, {}, StartupFileState::Refused, bytes.error().message, 0, 0, true, isNamed});
            return;
        }
        StartupText read = importStartupText(path, *bytes);
        read.file.isNamed = isNamed;
        for (StartupRun& run : read.runs)
            take(std::move(run), read.file);
        m_out.files.push_back(std::move(read.file));
    }

    void addError(const Error& error)
    {
        m_out.files.push_back({error.detail, {}, StartupFileState::Refused, error.message, 0, 0, true, false});
    }

    StartupImport take() && { return std::move(m_out); }

private:
    void take(StartupRun run, StartupFile& file)
    {
        const auto [known, isNew] = m_known.emplace(keyOf(run), m_out.runs.size());
        if (isNew) {
            m_out.runs.push_back(std::move(run));
            return;
        }
        ++file.doubles;
        --file.runs;
        StartupRun& first = m_out.runs[known->second];
        if (first.series.empty()) // the index tells what the file does not
            first.series = run.series;
    }

    StartupImport m_out;
    std::map<std::string, std::size_t> m_known;
};

} // namespace

std::string_view name(Clock clock)
{
    return clocks.at(static_cast<std::size_t>(clock)).first;
}

std::optional<Clock> clockOf(std::string_view text)
{
    const auto* found = std::find_if(clocks.begin(), clocks.end(), [text](const auto& clock) { return clock.first == text; });
    return found == clocks.end() ? std::nullopt : std::optional(found->second);
}

std::string_view name(StartupFileState state)
{
    switch (state) {
    case StartupFileState::Imported:
        return "imported";
    case StartupFileState::Refused:
        return "refused";
    case StartupFileState::Ignored:
        break;
    }
    return "ignored";
}

std::span<const StartupImporter> startupImporters()
{
    return importers;
}

StartupText importStartupText(std::string path, std::string_view text)
{
    StartupText out;
    out.file.path = path;
    StartupInput input{path, text, {}};
    const std::string_view content = base::trimmed(text);
    const bool looksLikeJson = content.starts_with('{') || content.starts_with("\xEF\xBB\xBF{");
    if (looksLikeJson) {
        base::json::Documents read = base::json::readAll(text);
        if (read.fault) {
            out.file.state = StartupFileState::Refused;
            out.file.reason = "It is no whole JSON: " + read.fault->message;
            return out;
        }
        for (base::json::Document& document : read.documents)
            input.json.push_back(std::move(document.value));
    }
    const auto* importer = std::find_if(importers.begin(), importers.end(), [&input](const StartupImporter& i) { return i.sniff(input); });
    if (importer == importers.end()) {
        out.file.reason = "It holds no startup result.";
        return out;
    }
    out.file.format = importer->id;
    auto runs = importer->read(input);
    if (!runs) {
        out.file.state = StartupFileState::Refused;
        out.file.reason = runs.error().message;
        return out;
    }
    const std::string sha256 = base::sha256Hex(text);
    for (StartupRun& run : *runs) {
        if (isExport(importer->id))
            continue; // where they came from stands in the export
        run.format = importer->id;
        run.source = path;
        run.sha256 = sha256;
    }
    out.file.state = StartupFileState::Imported;
    out.file.runs = runs->size();
    out.runs = *std::move(runs);
    return out;
}

StartupImport importStartup(const std::vector<std::string>& paths, std::stop_token stop)
{
    Collector collector;
    for (const std::string& path : paths) {
        std::error_code ignored;
        if (!fs::is_directory(path, ignored)) {
            collector.add(path, true);
            continue;
        }
        const base::FilesBelow below = base::filesBelow(
            path, [](const fs::path&) { return true; }, stop);
        for (const fs::path& file : below.files) {
            if (stop.stop_requested())
                break;
            collector.add(file.string(), false);
        }
        for (const Error& error : below.errors)
            collector.addError(error);
    }
    return std::move(collector).take();
}

} // namespace wb::snapshot
