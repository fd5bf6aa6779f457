#include "core/snapshot/startup/exported.h"

#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/snapshot/startup/fields.h"

#include <algorithm>

namespace wb::snapshot {

using base::json::Array;
using base::json::Value;

namespace {

constexpr int exportVersion = 1;
constexpr std::string_view exportKey = "snapshotStartup";

Value measuredJson(const Measured& time)
{
    Value out;
    out.set("seconds", time.seconds);
    out.set("clock", name(time.clock));
    out.set("approximate", time.isApproximate);
    out.set("note", time.note);
    return out;
}

Measured measuredOf(const Value& object)
{
    Measured out;
    out.seconds = numberAt(object, {"seconds"});
    out.clock = clockOf(textAt(object, {"clock"})).value_or(Clock::Kubernetes);
    const Value* approximate = object.find("approximate");
    out.isApproximate = approximate && approximate->boolean() == true;
    out.note = textAt(object, {"note"});
    return out;
}

Value phasesJson(const std::vector<StartupPhase>& phases)
{
    Array out;
    for (const StartupPhase& phase : phases) {
        Value object = measuredJson(phase.time);
        object.set("id", phase.id);
        out.push_back(std::move(object));
    }
    return out;
}

std::vector<StartupPhase> phasesOf(const Value* list)
{
    std::vector<StartupPhase> out;
    if (list) {
        for (const Value& object : list->array())
            out.push_back({textAt(object, {"id"}), measuredOf(object)});
    }
    return out;
}

Value warningsJson(const StartupRun& run)
{
    Array out;
    for (const std::string& warning : run.warnings)
        out.emplace_back(warning);
    return out;
}

std::vector<std::string> warningsOf(const Value* list)
{
    std::vector<std::string> out;
    if (list) {
        for (const Value& item : list->array()) {
            if (const std::string* text = item.string())
                out.push_back(*text);
        }
    }
    return out;
}

Value runJson(const StartupRun& run)
{
    Value out;
    for (const TextField& field : textFields)
        out.set(std::string(field.id), run.*field.member);
    out.set("synthetic", run.isSynthetic);
    out.set("gpus", run.gpus);
    for (const DurationField& field : durationFields)
        out.set(std::string(field.id), measuredJson(run.*field.member));
    out.set("checkpoint_phases", phasesJson(run.checkpointPhases));
    out.set("restore_phases", phasesJson(run.restorePhases));
    out.set("weights_bytes", run.weightsBytes);
    out.set("artifact_bytes", run.artifactBytes);
    out.set("warnings", warningsJson(run));
    return out;
}

StartupRun runOf(const Value& object)
{
    StartupRun out;
    for (const TextField& field : textFields)
        out.*field.member = textAt(object, {field.id});
    const Value* synthetic = object.find("synthetic");
    out.isSynthetic = synthetic && synthetic->boolean() == true;
    if (const auto gpus = numberAt(object, {"gpus"}))
        out.gpus = static_cast<int>(std::clamp(*gpus, 0.0, 1e6));
    for (const DurationField& field : durationFields) {
        if (const Value* time = object.find(field.id))
            out.*field.member = measuredOf(*time);
    }
    out.checkpointPhases = phasesOf(object.find("checkpoint_phases"));
    out.restorePhases = phasesOf(object.find("restore_phases"));
    out.weightsBytes = numberAt(object, {"weights_bytes"});
    out.artifactBytes = numberAt(object, {"artifact_bytes"});
    out.warnings = warningsOf(object.find("warnings"));
    return out;
}

std::string numberText(std::optional<double> number)
{
    return number ? base::textOf(*number) : std::string();
}

} // namespace

Value exportJson(std::span<const StartupRun> runs)
{
    Array array;
    for (const StartupRun& run : runs)
        array.push_back(runJson(run));
    Value out;
    out.set(std::string(exportKey), exportVersion);
    out.set("runs", std::move(array));
    return out;
}

// Phases and warnings are lists of differing length: each is one cell of JSON. Durations have a column each, with their clock and note.
std::string exportCsv(std::span<const StartupRun> runs)
{
    std::string out;
    for (const TextField& field : textFields)
        out += std::string(field.id) + ",";
    out += "synthetic,gpus";
    for (const DurationField& field : durationFields) {
        const std::string id(field.id);
        out += "," + id + "_s," + id + "_clock," + id + "_approximate," + id + "_note";
    }
    out += ",checkpoint_phases,restore_phases,weights_bytes,artifact_bytes,warnings\n";
    for (const StartupRun& run : runs) {
        for (const TextField& field : textFields)
            out += results::csvCell(run.*field.member) + ",";
        out += std::string(run.isSynthetic ? "true" : "false") + "," + (run.gpus ? std::to_string(*run.gpus) : "");
        for (const DurationField& field : durationFields) {
            const Measured& time = run.*field.member;
            out += "," + numberText(time.seconds) + "," + std::string(name(time.clock)) + "," + (time.isApproximate ? "true" : "false") +
                   "," + results::csvCell(time.note);
        }
        out += "," + results::csvCell(base::json::write(phasesJson(run.checkpointPhases), 0)) + "," +
               results::csvCell(base::json::write(phasesJson(run.restorePhases), 0)) + "," + numberText(run.weightsBytes) + "," +
               numberText(run.artifactBytes) + "," + results::csvCell(base::json::write(warningsJson(run), 0)) + "\n";
    }
    return out;
}

namespace startup {

bool isExportedJson(const StartupInput& input)
{
    return input.json.size() == 1 && input.json.front().find(exportKey) && input.json.front().find("runs");
}

Result<std::vector<StartupRun>> readExportedJson(const StartupInput& input)
{
    const Value& document = input.json.front();
    if (document.find(exportKey)->integer() != exportVersion)
        return failure(ErrorCode::Unsupported, "The export is of another version of this program.");
    std::vector<StartupRun> out;
    for (const Value& object : document.find("runs")->array())
        out.push_back(runOf(object));
    return out;
}

bool isExportedCsv(const StartupInput& input)
{
    return input.json.empty() && input.text.starts_with("id,format,source,sha256,") &&
           input.text.find("restore_from_pod_s") != std::string_view::npos;
}

Result<std::vector<StartupRun>> readExportedCsv(const StartupInput& input)
{
    const auto rows = results::readCsv(input.text);
    std::vector<StartupRun> out;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto cell = [&](std::string_view column) {
            const auto& header = rows.front().cells;
            const auto at = static_cast<std::size_t>(std::find(header.begin(), header.end(), column) - header.begin());
            return at < rows[i].cells.size() ? rows[i].cells[at] : std::string();
        };
        const auto list = [&](std::string_view column) {
            auto read = base::json::read(cell(column));
            return read ? *std::move(read) : Value();
        };
        StartupRun run;
        for (const TextField& field : textFields)
            run.*field.member = cell(field.id);
        run.isSynthetic = cell("synthetic") == "true";
        if (const auto gpus = base::integerOf(cell("gpus")))
            run.gpus = static_cast<int>(std::clamp<std::int64_t>(*gpus, 0, 1000000));
        for (const DurationField& field : durationFields) {
            const std::string id(field.id);
            Measured& time = run.*field.member;
            time.seconds = base::numberOf(cell(id + "_s"));
            time.clock = clockOf(cell(id + "_clock")).value_or(Clock::Kubernetes);
            time.isApproximate = cell(id + "_approximate") == "true";
            time.note = cell(id + "_note");
        }
        const Value checkpointPhases = list("checkpoint_phases");
        const Value restorePhases = list("restore_phases");
        const Value warnings = list("warnings");
        run.checkpointPhases = phasesOf(&checkpointPhases);
        run.restorePhases = phasesOf(&restorePhases);
        run.weightsBytes = base::numberOf(cell("weights_bytes"));
        run.artifactBytes = base::numberOf(cell("artifact_bytes"));
        run.warnings = warningsOf(&warnings);
        out.push_back(std::move(run));
    }
    return out;
}

} // namespace startup

} // namespace wb::snapshot
