#include "core/store/ownfolder.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"
#include "core/store/temporaries.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

namespace wb::store {

namespace fs = std::filesystem;
using base::json::Value;

namespace {

constexpr std::string_view listName = ".srtwb-files.json";
constexpr std::string_view listFormat = "srtwb-files-1";

std::string listOf(std::span<const FolderFile> files, const FolderOwner& owner)
{
    Value hashes;
    hashes = base::json::Object{};
    for (const FolderFile& file : files)
        hashes.set(file.name, file.sha256);
    Value list;
    list.set("format", std::string(listFormat));
    list.set("origin", owner.origin);
    list.set("files", std::move(hashes));
    return base::json::write(list);
}

tl::unexpected<Error> refused(const fs::path& folder, const std::string& why)
{
    return failure(ErrorCode::Refused, "The folder " + base::pathInQuotes(folder.string()) + " is not replaced: " + why, folder.string());
}

/// Nothing when the folder may go; else why not.
Result<void> mayReplace(const fs::path& folder, const FolderOwner& owner)
{
    if (!fs::is_directory(fs::symlink_status(folder)))
        return refused(folder, "it is no folder of its own.");
    std::error_code error;
    if (fs::is_empty(folder, error) && !error)
        return {};
    const base::FilesBelow present = base::filesBelow(folder, [](const fs::path&) { return true; });
    if (!present.errors.empty())
        return tl::unexpected<Error>(present.errors.front());
    const auto text = base::readFile(folder / listName);
    const auto list = text ? base::json::read(*text) : Result<Value>(failure(ErrorCode::NotFound, {}));
    const Value* format = list ? list->find("format") : nullptr;
    const Value* origin = list ? list->find("origin") : nullptr;
    const Value* hashes = list ? list->find("files") : nullptr;
    if (!format || *format != Value(listFormat) || !origin || !origin->string() || !hashes)
        return refused(folder, "it holds files that no dry run wrote.");
    if (*origin->string() != owner.origin)
        return refused(folder, "it holds a job of that name made from " + base::pathInQuotes(*origin->string()) +
                                   ", and this one is made from " + base::pathInQuotes(owner.origin) + ".");
    for (const fs::path& path : present.files) {
        const std::string name = path.lexically_relative(folder).generic_string();
        if (name == listName)
            continue;
        const Value* hash = hashes->find(name);
        if (!hash || !hash->string())
            return refused(folder, base::pathInQuotes(name) + " in it was not written by the dry run.");
        const auto bytes = base::readFile(path);
        if (!bytes)
            return tl::unexpected<Error>(bytes.error());
        if (base::sha256Hex(*bytes) != *hash->string())
            return refused(folder, base::pathInQuotes(name) + " in it was edited since.");
    }
    return {};
}

Result<void> writeFile(const fs::path& path, std::string_view bytes)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return tl::unexpected<Error>(base::systemError(errno, path, "Saving"));
    int error = base::writeAll(file, bytes);
    if (::close(file) != 0 && error == 0)
        error = errno; // some file systems tell only here that the disk is full
    if (error != 0)
        return tl::unexpected<Error>(base::systemError(error, path, "Saving"));
    return {};
}

/// Removes a folder when it goes out of scope.
class Removed
{
public:
    explicit Removed(fs::path folder)
        : m_folder(std::move(folder))
    {
    }
    Removed(const Removed&) = delete;
    Removed& operator=(const Removed&) = delete;
    ~Removed()
    {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }

private:
    fs::path m_folder;
};

/// The new folder takes the place of the old one, which then has the new one's former name. Gives an error number.
int exchange(const fs::path& made, const fs::path& target)
{
    if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
        return errno;
    // A file system without exchange: for a moment the target is not there; the old one has a name that nobody removes.
    const fs::path old = target.string() + ".old";
    if (::rename(target.c_str(), old.c_str()) != 0)
        return errno;
    if (::rename(made.c_str(), target.c_str()) != 0) {
        const int error = errno;
        (void)::rename(old.c_str(), target.c_str());
        return error;
    }
    return ::rename(old.c_str(), made.c_str()) == 0 ? 0 : errno;
}

/// A name beside the folder that is free: "job.old", "job.old2".
fs::path freeName(const fs::path& folder)
{
    std::error_code ignored;
    fs::path name = folder.string() + ".old";
    for (int i = 2; fs::exists(fs::symlink_status(name, ignored)); ++i)
        name = folder.string() + ".old" + std::to_string(i);
    return name;
}

} // namespace

Result<std::string> writeOwnFolder(const std::string& path, std::span<const FolderFile> files, const FolderOwner& owner, bool mayMoveAside)
{
    const fs::path target(path);
    if (auto parent = makeFolder(target.parent_path().string()); !parent)
        return tl::unexpected<Error>(std::move(parent.error()));
    std::error_code error;
    const bool exists = fs::exists(fs::symlink_status(target, error));
    const Result<void> allowed = exists ? mayReplace(target, owner) : Result<void>();
    if (!allowed && !(mayMoveAside && allowed.error().code == ErrorCode::Refused))
        return tl::unexpected<Error>(allowed.error());

    removeLeftovers(target.parent_path());
    const fs::path made = temporaryBeside(target);
    const Removed atTheEnd(made); // the unfinished new folder, or the old one
    for (const FolderFile& file : files) {
        const fs::path filePath = made / file.name;
        if (auto folder = makeFolder(filePath.parent_path().string()); !folder)
            return tl::unexpected<Error>(std::move(folder.error()));
        if (auto written = writeFile(filePath, file.bytes); !written)
            return tl::unexpected<Error>(std::move(written.error()));
    }
    if (auto folder = makeFolder(made.string()); !folder)
        return tl::unexpected<Error>(std::move(folder.error()));
    if (auto written = writeFile(made / listName, listOf(files, owner)); !written)
        return tl::unexpected<Error>(std::move(written.error()));

    std::string aside;
    if (exists && !allowed) {
        const fs::path kept = freeName(target);
        if (::rename(target.c_str(), kept.c_str()) != 0)
            return tl::unexpected<Error>(base::systemError(errno, target, "Moving aside"));
        aside = kept.string();
    }
    const int failed = exists && aside.empty() ? exchange(made, target) : (::rename(made.c_str(), target.c_str()) != 0 ? errno : 0);
    if (failed != 0)
        return tl::unexpected<Error>(base::systemError(failed, target, "Saving"));
    return aside;
}

} // namespace wb::store
