#include "core/analysis/runside.h"

#include "core/base/files.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/results/runfacts.h"
#include "core/syntax/yaml.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace wb::analysis {

namespace fs = std::filesystem;
using syntax::ValuePtr;

namespace {

namespace runfile = results::runfile;
constexpr std::uintmax_t largest = std::uintmax_t{64} << 20; // bytes; a lockfile of many workers has some

class RunReader
{
public:
    explicit RunReader(fs::path path)
        : m_path(std::move(path))
    {
    }

    Result<RunSide> read()
    {
        std::error_code error;
        const bool isFolder = fs::is_directory(m_path, error);
        if (!isFolder) {
            // The lockfile that was named must be readable; what lies beside it is a help.
            auto text = base::readFile(m_path, largest);
            if (!text)
                return tl::unexpected(std::move(text.error()));
        }
        const std::string file = m_path.filename().string();
        // Under a name of its own it has no neighbours that could be told from others'.
        const bool isRenamed = !isFolder && !file.ends_with(runfile::lock);
        if (isRenamed)
            takeLock(m_path);
        m_prefix = isFolder || isRenamed ? std::string() : file.substr(0, file.size() - runfile::lock.size());
        m_out.side.label = m_path.string();
        m_out.side.isRun = true;
        const fs::path folder = isFolder ? m_path : m_path.parent_path();
        std::vector<fs::path> folders = {folder};
        if (m_prefix.empty())
            folders.push_back(folder / "logs");
        for (const fs::path& place : isRenamed ? std::vector<fs::path>() : folders)
            readFolder(place);
        const bool isNothing = !m_out.side.recipe && !m_out.side.lock && m_out.side.fingerprints.empty() && !m_out.side.snapshot;
        if (isNothing && !m_out.warnings.empty())
            return failure(ErrorCode::Malformed,
                           base::pathInQuotes(m_path.string()) + " holds a run that cannot be read. " + base::joined(m_out.warnings, " "),
                           m_path.string());
        if (isNothing)
            return failure(ErrorCode::NotFound,
                           base::pathInQuotes(m_path.string()) +
                               " holds no run: there is no recipe.lock.yaml, config.yaml, fingerprint or resource snapshot in it.",
                           m_path.string());
        if (m_prefix.empty() && !isRenamed)
            m_out.results.push_back(folder.empty() ? std::string(".") : folder.string());
        return std::move(m_out);
    }

private:
    void readFolder(const fs::path& folder)
    {
        std::error_code error;
        std::vector<fs::path> files;
        for (fs::directory_iterator at(folder.empty() ? fs::path(".") : folder, error), end; !error && at != end; at.increment(error))
            files.push_back(folder / at->path().filename());
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            const std::string whole = file.filename().string();
            if (!whole.starts_with(m_prefix))
                continue;
            const std::string_view name = std::string_view(whole).substr(m_prefix.size());
            if (name == runfile::lock)
                takeLock(file);
            else if (name == runfile::config && !m_out.side.recipe)
                m_out.side.recipe = document(file);
            else if (name == runfile::snapshot)
                m_out.side.snapshot = document(file);
            else if (name.starts_with(runfile::fingerprintPrefix) && name.ends_with(".json"))
                takeFingerprint(
                    std::string(name.substr(runfile::fingerprintPrefix.size(), name.size() - runfile::fingerprintPrefix.size() - 5)),
                    document(file));
            else if (!m_prefix.empty())
                m_out.results.push_back(file.string());
        }
    }

    /// JSON is read as the YAML that it is. Null, with a warning, when it cannot be read as a whole.
    ValuePtr document(const fs::path& file)
    {
        auto text = base::readFile(file, largest);
        if (!text) {
            m_out.warnings.push_back(text.error().message);
            return nullptr;
        }
        const syntax::Parsed parsed = syntax::parse(std::make_shared<const syntax::SourceText>(std::move(*text), file.string()));
        if (parsed.complete && parsed.root && parsed.root->isMapping())
            return parsed.root;
        const bool isYaml = file.extension() != ".json";
        m_out.warnings.push_back(
            base::pathInQuotes(file.string()) + " was left out: " + whyNot(parsed) + "; copy it again from the run" +
            (isYaml ? ", or mend it: " + base::commandInQuotes({"srtwb", "check", file.string()}) + " names every problem." : "."));
        return nullptr;
    }

    /// With the place of the first error; no full stop at the end.
    static std::string whyNot(const syntax::Parsed& parsed)
    {
        for (const syntax::Diagnostic& problem : parsed.diagnostics) {
            if (problem.severity != syntax::Severity::Error)
                continue;
            const syntax::LineCol place = parsed.source->lineCol(problem.range.begin);
            std::string_view message = problem.message;
            if (message.ends_with('.'))
                message.remove_suffix(1);
            return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": " + std::string(message);
        }
        return "it is cut off, or no mapping";
    }

    void takeLock(const fs::path& file)
    {
        const ValuePtr root = document(file);
        if (!root)
            return;
        m_out.side.recipe = syntax::without(root, "lock");
        m_out.side.lock = root->find("lock");
        if (!m_out.side.lock) { // one that has no word for anything; it is there all the same
            auto empty = std::make_shared<syntax::Value>();
            empty->kind = syntax::Kind::Mapping;
            m_out.side.lock = std::move(empty);
        }
        // Old ones have the fingerprints at the top, or a single one.
        for (const ValuePtr& holder : {m_out.side.lock, root}) {
            const ValuePtr all = holder ? holder->find("fingerprints") : nullptr;
            for (const syntax::Member& member : all ? all->members : std::vector<syntax::Member>())
                takeFingerprint(member.key, member.value);
        }
        if (const ValuePtr single = root->find("fingerprint"); single && single->isMapping())
            takeFingerprint("worker_w0", single);
        for (const char* key : {"fingerprints", "fingerprint"})
            m_out.side.recipe = syntax::without(m_out.side.recipe, key);
    }

    /// A lockfile's fingerprints are those of the files, merged at the end: whichever comes first.
    void takeFingerprint(const std::string& worker, const ValuePtr& value)
    {
        if (value && value->isMapping())
            m_out.side.fingerprints.emplace(worker, value);
    }

    fs::path m_path;
    std::string m_prefix;
    RunSide m_out;
};

/// A lockfile whatever its name: a recipe with what the run recorded beside it.
bool isLockfile(const std::string& path)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return false;
    auto text = base::readFile(path, largest);
    if (!text || (text->find("lock") == std::string::npos && text->find("fingerprint") == std::string::npos))
        return false;
    const syntax::Parsed parsed = syntax::parse(std::make_shared<const syntax::SourceText>(std::move(*text), path));
    const auto hasMapping = [&parsed](const char* key) {
        const ValuePtr value = parsed.root && parsed.root->isMapping() ? parsed.root->find(key) : nullptr;
        return value && value->isMapping();
    };
    return hasMapping("lock") || hasMapping("fingerprints") || hasMapping("fingerprint");
}

} // namespace

bool isRunPath(const std::string& path)
{
    std::error_code error;
    return path.ends_with(runfile::lock) || fs::is_directory(path, error) || isLockfile(path);
}

std::string runPathOf(const std::string& folder)
{
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error))
        return folder;
    return folder + std::string(runfile::lock);
}

Result<RunSide> readRun(const std::string& path)
{
    return RunReader(path).read();
}

} // namespace wb::analysis
