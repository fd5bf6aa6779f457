#include "core/base/files.h"

#include "core/base/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace wb::base {

namespace {

ErrorCode codeOf(int errorNumber)
{
    switch (errorNumber) {
    case ENOENT:
    case ENOTDIR:
        return ErrorCode::NotFound;
    case EACCES:
    case EPERM:
    case EROFS:
        return ErrorCode::Denied;
    case ENOSPC:
    case EDQUOT:
    case ENAMETOOLONG:
        return ErrorCode::Unsupported; // nothing stands in the way that could be moved
    default:
        return ErrorCode::Refused;
    }
}

} // namespace

Error systemError(int errorNumber, const std::filesystem::path& path, std::string_view doing)
{
    std::string what = std::error_code(errorNumber, std::generic_category()).message();
    if (!what.empty() && what.front() >= 'A' && what.front() <= 'Z')
        what.front() = static_cast<char>(what.front() - 'A' + 'a');
    return {codeOf(errorNumber), std::string(doing) + " " + pathInQuotes(path.string()) + " failed: " + what + ".", path.string()};
}

FilesBelow filesBelow(const std::filesystem::path& folder, const std::function<bool(const std::filesystem::path&)>& isWanted,
                      const std::stop_token& stop, std::size_t most)
{
    namespace fs = std::filesystem;
    FilesBelow out;
    // std's recursive iterator ends at the first folder that it cannot enter, so each folder is read by itself.
    std::vector<fs::path> due = {folder};
    while (!due.empty() && !stop.stop_requested() && !out.truncated) {
        const fs::path here = std::move(due.back());
        due.pop_back();
        std::error_code error;
        fs::directory_iterator it(here, error);
        for (; !error && it != fs::directory_iterator(); it.increment(error)) {
            std::error_code broken;
            // Of most entries the folder itself tells what they are; the system is asked for folders and links.
            const bool isLink = it->is_symlink(broken) || broken;
            const bool isFile = !isLink && it->is_regular_file(broken) && !broken;
            broken.clear();
            const fs::file_status own = isFile ? fs::file_status(fs::file_type::regular) : it->symlink_status(broken);
            if (!broken && fs::is_directory(own)) {
                due.push_back(it->path());
                continue;
            }
            if (!isWanted(it->path()))
                continue;
            const fs::file_status meant = broken || isFile ? own : it->status(broken);
            if (broken || meant.type() == fs::file_type::not_found) {
                out.errors.push_back(systemError(broken ? broken.value() : ENOENT, it->path(), "Reading"));
            } else if (fs::is_regular_file(meant)) {
                out.truncated = out.files.size() >= most;
                if (out.truncated)
                    break;
                out.files.push_back(it->path());
            } else if (!fs::is_directory(meant)) { // a link to a folder is not followed
                out.errors.push_back(
                    {ErrorCode::Unsupported, pathInQuotes(it->path().string()) + " is not a regular file.", it->path().string()});
            }
        }
        if (error)
            out.errors.push_back(systemError(error.value(), here, "Reading the folder"));
    }
    std::sort(out.files.begin(), out.files.end());
    std::sort(out.errors.begin(), out.errors.end(), [](const Error& a, const Error& b) { return a.detail < b.detail; });
    return out;
}

Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t limit)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return tl::unexpected<Error>(systemError(errno, path, "Reading"));
    const auto closed = [&](auto result) -> Result<std::string> {
        ::close(file);
        return result;
    };
    struct stat status = {};
    if (::fstat(file, &status) != 0)
        return closed(tl::unexpected<Error>(systemError(errno, path, "Reading")));
    if (S_ISDIR(status.st_mode))
        return closed(failure(ErrorCode::Unsupported, pathInQuotes(path.string()) + " is a folder, not a file.", path.string()));
    if (!S_ISREG(status.st_mode))
        return closed(failure(ErrorCode::Unsupported, pathInQuotes(path.string()) + " is not a regular file.", path.string()));
    const auto size = static_cast<std::uintmax_t>(status.st_size);
    if (size > limit)
        return closed(failure(ErrorCode::Unsupported,
                              pathInQuotes(path.string()) + " has " + std::to_string(size) + " bytes, more than the " +
                                  std::to_string(limit) + " that are read.",
                              path.string()));
    std::string text(size + 1, '\0'); // the one more has the read that tells the end go without a larger text
    std::size_t filled = 0;
    for (;;) {
        if (filled == text.size())
            text.resize(text.size() + 4096); // the file grew while it was read
        const ssize_t got = ::read(file, text.data() + filled, text.size() - filled);
        if (got < 0) {
            if (errno == EINTR)
                continue;
            return closed(tl::unexpected<Error>(systemError(errno, path, "Reading")));
        }
        if (got == 0)
            break;
        filled += static_cast<std::size_t>(got);
        if (filled > limit)
            return closed(failure(ErrorCode::Unsupported,
                                  pathInQuotes(path.string()) + " grew beyond the " + std::to_string(limit) + " bytes that are read.",
                                  path.string()));
    }
    text.resize(filled);
    return closed(std::move(text));
}

Result<void> makePrivateFolder(const std::filesystem::path& path)
{
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        return tl::unexpected<Error>(systemError(errno, path, "Making the folder"));
    struct stat found = {};
    if (::lstat(path.c_str(), &found) != 0)
        return tl::unexpected<Error>(systemError(errno, path, "Looking at"));
    if (!S_ISDIR(found.st_mode) || found.st_uid != ::geteuid() || (found.st_mode & 077U) != 0)
        return failure(ErrorCode::Denied,
                       "The folder " + pathInQuotes(path.string()) + " is not private to this user, so no connection is made.",
                       path.string());
    return {};
}

int writeAll(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

} // namespace wb::base
