#include "core/store/atomicfile.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/store/temporaries.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

namespace wb::store {

namespace fs = std::filesystem;

namespace {

constexpr int mostLinks = 40; ///< As the kernel's own limit.

tl::unexpected<Error> failed(int errorNumber, const fs::path& path)
{
    return tl::unexpected<Error>(base::systemError(errorNumber, path, "Saving"));
}

/// The file a path means in the end; it need not exist.
Result<fs::path> targetOf(const fs::path& path)
{
    fs::path target = path;
    for (int links = 0; links < mostLinks; ++links) {
        std::error_code error;
        if (!fs::is_symlink(fs::symlink_status(target, error)))
            return target;
        const fs::path next = fs::read_symlink(target, error);
        if (error)
            return failed(error.value(), target);
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return failed(ELOOP, path);
}

/// A new file for the target. Where the file system can do it, it has no name until it is complete, so that the end of the process is its
/// end too; else it stands beside the target and is removed again unless it took the target's place.
class Temporary
{
public:
    explicit Temporary(const fs::path& target)
        : m_path(temporaryBeside(target))
    {
        const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
        m_file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
        m_isNamed = m_file < 0 || ::access(procPath().c_str(), F_OK) != 0;
        if (!m_isNamed)
            return;
        if (m_file >= 0)
            ::close(m_file);
        m_file = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        m_error = m_file < 0 ? errno : 0;
        m_exists = m_file >= 0;
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary()
    {
        if (m_file >= 0)
            ::close(m_file);
        if (m_exists)
            ::unlink(m_path.c_str());
    }

    [[nodiscard]] int error() const { return m_error; } ///< Why it could not be made; 0 when it could.

    /// Each of these gives an error number, 0 for none.
    int write(std::string_view bytes) { return base::writeAll(m_file, bytes); }

    int takeOver(const struct stat& existing)
    {
        // Only root may give a file away; whoever else saves a file of another user becomes its owner, as with any editor.
        if ((existing.st_uid != ::geteuid() || existing.st_gid != ::getegid()) && ::fchown(m_file, existing.st_uid, existing.st_gid) != 0 &&
            errno != EPERM)
            return errno;
        return ::fchmod(m_file, existing.st_mode & 07777) != 0 ? errno : 0;
    }

    int moveTo(const fs::path& target)
    {
        if (::fsync(m_file) != 0)
            return errno;
        if (!m_isNamed) {
            if (::linkat(AT_FDCWD, procPath().c_str(), AT_FDCWD, m_path.c_str(), AT_SYMLINK_FOLLOW) != 0)
                return errno;
            m_exists = true;
        }
        const int closed = ::close(m_file);
        m_file = -1;
        if (closed != 0)
            return errno;
        if (::rename(m_path.c_str(), target.c_str()) != 0)
            return errno;
        m_exists = false;
        return 0;
    }

private:
    [[nodiscard]] std::string procPath() const { return "/proc/self/fd/" + std::to_string(m_file); }

    fs::path m_path;
    bool m_isNamed = false; ///< From the start.
    int m_file = -1;
    int m_error = 0;
    bool m_exists = false;
};

/// Makes the rename itself survive a power cut. Some file systems cannot; the file is whole either way.
void syncFolder(const fs::path& folder)
{
    const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    (void)::fsync(file);
    ::close(file);
}

} // namespace

Result<void> writeAtomically(const std::string& path, std::string_view bytes)
{
    const Result<fs::path> target = targetOf(path);
    if (!target)
        return tl::unexpected<Error>(target.error());
    struct stat existing = {};
    const bool exists = ::stat(target->c_str(), &existing) == 0;
    if (exists && !S_ISREG(existing.st_mode))
        return failure(ErrorCode::Unsupported, "Saving " + base::pathInQuotes(path) + " failed: it is not a plain file.", path);
    if (exists && ::access(target->c_str(), W_OK) != 0)
        return failed(errno, path);

    removeLeftovers(target->parent_path());
    Temporary temporary(*target);
    if (temporary.error() != 0)
        return failed(temporary.error(), path);
    if (const int error = temporary.write(bytes); error != 0)
        return failed(error, path);
    if (exists)
        if (const int error = temporary.takeOver(existing); error != 0)
            return failed(error, path);
    if (const int error = temporary.moveTo(*target); error != 0)
        return failed(error, path);
    syncFolder(target->parent_path());
    return {};
}

Result<void> makeFolder(const std::string& path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        return tl::unexpected<Error>(base::systemError(error.value(), path, "Making the folder"));
    if (!fs::is_directory(path, error))
        return failure(ErrorCode::Refused, "Making the folder " + base::pathInQuotes(path) + " failed: a file of that name is in the way.",
                       path);
    return {};
}

} // namespace wb::store
