#include "core/snapshot/startup/table.h"

#include "core/base/text.h"
#include "core/results/csv.h"
#include "core/snapshot/startup/fields.h"

#include <algorithm>
#include <array>
#include <map>

namespace wb::snapshot::startup {

namespace {

using Cells = std::map<std::string, std::string, std::less<>>;

struct PhaseColumn {
    std::string_view column;
    std::string_view phase;
};
constexpr std::array phaseColumns = {
    PhaseColumn{"restore_agent_setup_s", "agent_setup"},
    PhaseColumn{"restore_criu_s", "criu_restore"},
    PhaseColumn{"restore_cuda_s", "cuda_restore"},
    PhaseColumn{"restore_wake_remap_s", "wake_remap"},
    PhaseColumn{"restore_nsrestore_total_s", "agent_duration"},
};

/// Headers of the published Markdown tables and the columns that they are, in lower case.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> markdownColumns = {{
    {"model", "model"},
    {"weights", "weights_gb"},
    {"cold start", "cold_start_s"},
    {"checkpoint", "checkpoint_s"},
    {"snapshot", "restore_total_s"},
    {"total", "restore_total_s"},
    {"agent setup", "restore_agent_setup_s"},
    {"criu restore", "restore_criu_s"},
    {"cuda restore", "restore_cuda_s"},
    {"wake / remap", "restore_wake_remap_s"},
}};

constexpr double bytesOfGb = 1e9;
constexpr double bytesOfGib = 1073741824.0;

std::string cellAt(const Cells& cells, std::string_view column)
{
    const auto found = cells.find(column);
    return found == cells.end() ? std::string() : found->second;
}

Measured published(const Cells& cells, std::initializer_list<std::string_view> columns)
{
    Measured out;
    out.clock = Clock::Published;
    out.note = "not in the table";
    for (const std::string_view column : columns) {
        const std::string text = cellAt(cells, column);
        if (text.empty())
            continue;
        out.seconds = base::numberOf(text);
        out.note = out.seconds ? "" : base::inQuotes(text) + " is no number";
        return out;
    }
    return out;
}

std::optional<double> bytesAt(const Cells& cells, std::string_view column, double unit)
{
    const auto number = base::numberOf(cellAt(cells, column));
    return number ? std::optional(*number * unit) : std::nullopt;
}

StartupRun runOf(const Cells& cells, std::string_view path)
{
    StartupRun run;
    run.model = cellAt(cells, "model");
    run.id = std::string(path.substr(path.find_last_of('/') == std::string_view::npos ? 0 : path.find_last_of('/') + 1)) + "#" + run.model;
    run.modelId = cellAt(cells, "model_id");
    run.engine = engineName(cellAt(cells, "engine"));
    run.engineVersion = cellAt(cells, "engine_version");
    run.gpu = cellAt(cells, "gpu");
    run.driver = cellAt(cells, "driver");
    run.storage = cellAt(cells, "storage");
    if (const auto gpus = base::integerOf(cellAt(cells, "gpus")); gpus && *gpus > 0 && *gpus < 100000)
        run.gpus = static_cast<int>(*gpus);
    run.cold = published(cells, {"cold_start_s"});
    run.coldTotal.note = run.containerStart.note = run.restoreFromPod.note = "not in the table";
    run.checkpoint = published(cells, {"checkpoint_s"});
    run.restore = published(cells, {"restore_total_s", "restore_s"});
    for (const auto& [column, phase] : phaseColumns) {
        if (!cellAt(cells, column).empty())
            run.restorePhases.push_back({std::string(phase), published(cells, {column})});
    }
    run.weightsBytes = bytesAt(cells, "weights_gb", bytesOfGb);
    run.artifactBytes = bytesAt(cells, "checkpoint_gib", bytesOfGib);
    if (const std::string product = cellAt(cells, "product"); !product.empty())
        run.warnings.push_back("Measured with " + product + ".");
    if (const std::string notes = cellAt(cells, "notes"); !notes.empty())
        run.warnings.push_back(notes);
    return run;
}

/// Runs of the same name after the first are told apart by a number.
void number(std::vector<StartupRun>& runs)
{
    std::map<std::string, int> seen;
    for (StartupRun& run : runs) {
        if (const int count = ++seen[run.id]; count > 1)
            run.id += "#" + std::to_string(count);
    }
}

bool has(const std::vector<std::string>& cells, std::string_view name)
{
    return std::find(cells.begin(), cells.end(), name) != cells.end();
}

/// "| a | b |" -> a, b; empty when the line is no row.
std::vector<std::string> rowOf(std::string_view line)
{
    line = base::trimmed(line);
    if (line.size() < 2 || line.front() != '|')
        return {};
    line.remove_prefix(1);
    if (line.ends_with('|'))
        line.remove_suffix(1);
    std::vector<std::string> out;
    for (const std::string_view cell : base::splitAt(line, '|')) {
        std::string_view text = base::trimmed(cell);
        while (text.starts_with('*') || text.starts_with('`'))
            text.remove_prefix(1);
        while (text.ends_with('*') || text.ends_with('`'))
            text.remove_suffix(1);
        out.emplace_back(base::trimmed(text));
    }
    return out;
}

bool isRule(const std::vector<std::string>& cells)
{
    return !cells.empty() && std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
        return !cell.empty() && cell.find_first_not_of("-: ") == std::string::npos;
    });
}

std::vector<std::string> columnsOf(const std::vector<std::string>& header)
{
    std::vector<std::string> out;
    for (const std::string& cell : header) {
        const std::string text = base::lowered(cell);
        const auto* found =
            std::find_if(markdownColumns.begin(), markdownColumns.end(), [&text](const auto& column) { return column.first == text; });
        out.emplace_back(found == markdownColumns.end() ? std::string_view() : found->second);
    }
    return out;
}

bool isTableHeader(const std::vector<std::string>& columns)
{
    return has(columns, "model") && (has(columns, "cold_start_s") || has(columns, "restore_total_s"));
}

/// "1.5 GB" and "52.4 s" as the numbers that they are.
std::string withoutUnit(std::string text)
{
    const std::size_t blank = text.find(' ');
    if (blank != std::string::npos && base::numberOf(std::string_view(text).substr(0, blank)))
        text.resize(blank);
    return text;
}

/// Rows of all tables by model, in the order of the first.
std::vector<Cells> modelsOf(std::string_view text)
{
    std::vector<Cells> out;
    std::vector<std::string> columns;
    for (const std::string_view line : base::splitAt(text, '\n')) {
        const std::vector<std::string> cells = rowOf(line);
        if (cells.empty()) {
            columns.clear();
            continue;
        }
        if (columns.empty()) {
            columns = columnsOf(cells);
            if (!isTableHeader(columns))
                columns.assign(1, std::string()); // another table: its rows are left out
            continue;
        }
        if (isRule(cells) || !has(columns, "model"))
            continue;
        Cells row;
        for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) {
            if (!columns[i].empty())
                row[columns[i]] = columns[i] == "model" ? cells[i] : withoutUnit(cells[i]);
        }
        const std::string model = cellAt(row, "model");
        const auto known = std::find_if(out.begin(), out.end(), [&model](const Cells& c) { return cellAt(c, "model") == model; });
        if (known == out.end())
            out.push_back(std::move(row));
        else
            known->merge(row);
    }
    return out;
}

} // namespace

bool isCsvTable(const StartupInput& input)
{
    if (!input.json.empty())
        return false;
    const auto rows = results::readCsv(input.text.substr(0, input.text.find('\n')));
    if (rows.empty())
        return false;
    const std::vector<std::string>& header = rows.front().cells;
    const bool hasTimes = has(header, "cold_start_s") || has(header, "restore_total_s") || has(header, "restore_s");
    return has(header, "model") && hasTimes && !has(header, "speedup"); // with it, it is derived from another table
}

Result<std::vector<StartupRun>> readCsvTable(const StartupInput& input)
{
    const auto rows = results::readCsv(input.text);
    std::vector<StartupRun> out;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        Cells cells;
        for (std::size_t column = 0; column < std::min(rows[i].cells.size(), rows.front().cells.size()); ++column)
            cells[rows.front().cells[column]] = rows[i].cells[column];
        out.push_back(runOf(cells, input.path));
        for (const auto& field : {&StartupRun::cold, &StartupRun::checkpoint, &StartupRun::restore}) {
            const Measured& time = out.back().*field;
            if (!time.seconds && time.note.find("is no number") != std::string::npos)
                out.back().warnings.push_back("Line " + std::to_string(rows[i].line) + ": " + time.note + ".");
        }
    }
    if (out.empty())
        return failure(ErrorCode::Malformed, "The table has no rows.");
    number(out);
    return out;
}

bool isMarkdownTable(const StartupInput& input)
{
    return input.json.empty() && input.text.find('|') != std::string_view::npos && !modelsOf(input.text).empty();
}

Result<std::vector<StartupRun>> readMarkdownTable(const StartupInput& input)
{
    std::vector<StartupRun> out;
    for (const Cells& cells : modelsOf(input.text))
        out.push_back(runOf(cells, input.path));
    number(out);
    return out;
}

} // namespace wb::snapshot::startup
