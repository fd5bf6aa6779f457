#include "core/remote/fetcher.h"

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <map>
#include <system_error>

namespace wb::remote {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t chunk = std::uint64_t{8} << 20U;
constexpr std::size_t mostNamesAtOnce = 200;

bool isInside(std::string_view name)
{
    if (name.empty() || name.front() == '/' || name.find('\0') != std::string_view::npos)
        return false;
    for (const std::string_view part : base::splitAt(name, '/'))
        if (part.empty() || part == "." || part == "..")
            return false;
    return true;
}

/// What a result, or a fact about a run, looks like.
bool isResult(std::string_view path)
{
    constexpr std::array<std::string_view, 9> endings = {".json", ".jsonl", ".csv", ".yaml", ".yml", ".tsv", ".txt", ".sh", ".toml"};
    const std::string low = base::lowered(path);
    const bool isOurs = low.find("sweep_") != std::string::npos || low.find("benchmark") != std::string::npos;
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return low.ends_with(ending); }) ||
           (isOurs && (low.ends_with(".log") || low.ends_with(".out")));
}

Result<std::map<std::string, std::string>> remoteHashes(Transport& transport, std::string_view folder, const std::vector<RemoteFile>& files,
                                                        const std::stop_token& stop)
{
    std::map<std::string, std::string> out;
    for (std::size_t begin = 0; begin < files.size(); begin += mostNamesAtOnce) {
        RemoteCommand command;
        command.title = "hash files";
        command.timeout = std::chrono::milliseconds(600'000);
        command.idle = command.timeout;
        command.script = "cd -- " + base::shellQuoted(folder) + " || exit 1\n";
        const std::size_t end = std::min(files.size(), begin + mostNamesAtOnce);
        for (std::size_t i = begin; i < end; ++i)
            command.script += "printf '%s %s\\n' " + std::to_string(i) + " \"$(sha256sum <" + base::shellQuoted(files[i].path) + ")\"\n";
        const auto outcome = transport.run(command, stop);
        if (!outcome)
            return tl::unexpected<Error>(outcome.error());
        for (const std::string_view line : base::splitAt(outcome->out, '\n')) {
            const std::vector<std::string_view> words = base::splitAt(line, ' ');
            const auto index = words.size() >= 2 ? base::integerOf(words[0]) : std::nullopt;
            constexpr std::size_t digits = 64;
            if (index && *index >= 0 && static_cast<std::size_t>(*index) < files.size() && words[1].size() == digits)
                out.emplace(files[static_cast<std::size_t>(*index)].path, words[1]);
        }
    }
    return out;
}

Result<void> append(const fs::path& path, std::string_view bytes)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0)
        return tl::unexpected<Error>(base::systemError(errno, path, "Saving"));
    int error = base::writeAll(file, bytes);
    if (::close(file) != 0 && error == 0)
        error = errno;
    if (error != 0)
        return tl::unexpected<Error>(base::systemError(error, path, "Saving"));
    return {};
}

} // namespace

FetchPlan planFetch(const std::vector<RemoteFile>& files, const FetchRule& rule)
{
    FetchPlan plan;
    for (const RemoteFile& file : files) {
        const bool isWanted = (rule.everything || isResult(file.path)) && file.size <= rule.largest && isInside(file.path);
        (isWanted ? plan.wanted : plan.left).push_back(file);
        if (isWanted)
            plan.bytes += file.size;
    }
    return plan;
}

namespace {

/// One file into `part`, from where that ends.
Result<void> fetchOne(Transport& transport, const std::string& remotePath, const RemoteFile& file, const fs::path& part,
                      const std::function<void(std::uint64_t)>& count, const std::stop_token& stop)
{
    std::error_code ignored;
    std::uint64_t offset = fs::exists(part, ignored) ? fs::file_size(part, ignored) : 0;
    if (offset > file.size) {
        fs::remove(part, ignored);
        offset = 0;
    }
    if (offset == 0) {
        if (auto made = append(part, {}); !made)
            return made;
    }
    while (offset < file.size) {
        RemoteCommand command;
        command.title = "fetch a file";
        command.timeout = std::chrono::milliseconds(600'000);
        command.script =
            "tail -c +" + std::to_string(offset + 1) + " -- " + base::shellQuoted(remotePath) + " | head -c " + std::to_string(chunk);
        const auto outcome = transport.run(command, stop);
        if (!outcome)
            return tl::unexpected<Error>(outcome.error());
        if (outcome->out.empty())
            return failure(ErrorCode::NotFound, "It is shorter now, or cannot be read.", outcome->err);
        if (auto written = append(part, outcome->out); !written)
            return written;
        offset += outcome->out.size();
        count(outcome->out.size());
    }
    return {};
}

} // namespace

Result<Fetched> fetchFiles(Transport& transport, std::string_view remoteFolder, const FetchPlan& plan, const std::string& localFolder,
                           const std::function<void(std::uint64_t)>& progress, std::stop_token stop)
{
    Fetched fetched;
    std::uint64_t came = 0;
    const auto count = [&](std::uint64_t more) {
        came += more;
        if (progress)
            progress(came);
    };
    auto hashes = remoteHashes(transport, remoteFolder, plan.wanted, stop);
    if (!hashes)
        return tl::unexpected<Error>(std::move(hashes.error()));
    for (const RemoteFile& file : plan.wanted) {
        if (!isInside(file.path)) {
            fetched.warnings.push_back(base::pathInQuotes(file.path) + " leads out of the folder and is left there.");
            continue;
        }
        const fs::path target = fs::path(localFolder) / file.path;
        const fs::path part = target.parent_path() / ("." + target.filename().string() + ".part");
        const auto hash = hashes->find(file.path);
        if (hash == hashes->end()) {
            fetched.warnings.push_back(base::pathInQuotes(file.path) + " cannot be read there.");
            continue;
        }
        std::error_code ignored;
        if (fs::is_regular_file(fs::symlink_status(target, ignored))) {
            const auto present = base::readFile(target);
            if (present && base::sha256Hex(*present) == hash->second) {
                fetched.files.push_back(file.path);
                ++fetched.unchanged;
                continue;
            }
        }
        if (auto made = store::makeFolder(target.parent_path().string()); !made)
            return tl::unexpected<Error>(std::move(made.error()));
        if (auto done = fetchOne(transport, std::string(remoteFolder) + '/' + file.path, file, part, count, stop); !done) {
            if (done.error().code != ErrorCode::NotFound)
                return tl::unexpected<Error>(std::move(done.error())); // what came so far stays, for the next time
            fetched.warnings.push_back(base::pathInQuotes(file.path) + ": " + done.error().message);
            continue;
        }
        const auto bytes = base::readFile(part);
        if (!bytes)
            return tl::unexpected<Error>(bytes.error());
        if (base::sha256Hex(*bytes) != hash->second) {
            // It changed while it was fetched, or an older part was of another file: from the beginning the next time.
            fs::remove(part, ignored);
            fetched.warnings.push_back(base::pathInQuotes(file.path) + " changed while it was fetched; fetch again.");
            continue;
        }
        fs::rename(part, target, ignored);
        if (ignored)
            return tl::unexpected<Error>(base::systemError(ignored.value(), target, "Saving"));
        fetched.files.push_back(file.path);
    }
    return fetched;
}

Result<void> removeRemoteFolder(Transport& transport, std::string_view remoteFolder, std::string_view token, std::stop_token stop)
{
    if (token.empty() || !remoteFolder.ends_with(token) || !remoteFolder.starts_with('/'))
        return failure(ErrorCode::Refused, base::pathInQuotes(remoteFolder) + " is no folder that a submission made; it is not removed.");
    RemoteCommand command;
    command.title = "delete the remote folder";
    const std::string folder = base::shellQuoted(remoteFolder);
    command.script = "[ -d " + folder + "/.srtwb ] && [ ! -h " + folder + " ] && rm -rf -- " + folder;
    command.timeout = std::chrono::milliseconds(600'000);
    const auto outcome = transport.run(command, stop);
    if (!outcome)
        return tl::unexpected<Error>(outcome.error());
    if (outcome->exitCode != 0)
        return failure(ErrorCode::Refused, "The folder " + base::pathInQuotes(remoteFolder) + " was not removed: " +
                                               (outcome->err.empty() ? std::string("it is not one that a submission made.")
                                                                     : base::printable(base::trimmed(outcome->err))));
    return {};
}

} // namespace wb::remote
