#include "core/store/recovery.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace wb::store {

namespace fs = std::filesystem;
using base::json::Value;

namespace {

constexpr std::string_view suffix = ".json";
constexpr const char* lockName = "lock";
/// Drafts are texts of people: larger ones are no drafts of ours.
constexpr std::uintmax_t largestDraft = std::uintmax_t{256} << 20;

std::string written(const Draft& draft)
{
    Value value;
    value.set("path", draft.path);
    value.set("title", draft.title);
    value.set("base", draft.base);
    value.set("time", draft.time);
    value.set("text", draft.text);
    return base::json::write(value, 0);
}

Result<Draft> read(const fs::path& file)
{
    const auto bytes = base::readFile(file, largestDraft);
    if (!bytes)
        return tl::unexpected<Error>(bytes.error());
    const auto value = base::json::read(*bytes);
    if (!value)
        return passedOn(value.error(), "Reading the draft " + base::pathInQuotes(file.string()));
    const auto text = [&](std::string_view key) -> const std::string* {
        const Value* found = value->find(key);
        return found ? found->string() : nullptr;
    };
    const std::string* content = text("text");
    const std::string* title = text("title");
    if (!content || !title)
        return failure(ErrorCode::Malformed, base::pathInQuotes(file.string()) + " is no draft: it has no text or no title.");
    Draft out;
    out.text = *content;
    out.title = *title;
    if (const std::string* path = text("path"))
        out.path = *path;
    if (const std::string* hash = text("base"))
        out.base = *hash;
    if (const Value* time = value->find("time"))
        out.time = time->integer().value_or(0);
    return out;
}

/// A file that is locked as long as the object lives, and by the kernel's word no longer.
class Lock
{
public:
    Lock() = default;
    explicit Lock(const fs::path& file)
        : m_file(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600))
    {
        if (m_file >= 0 && ::flock(m_file, LOCK_EX | LOCK_NB) != 0) {
            ::close(m_file);
            m_file = -1;
        }
    }
    Lock(Lock&& other) noexcept
        : m_file(std::exchange(other.m_file, -1))
    {
    }
    Lock& operator=(Lock&& other) noexcept
    {
        std::swap(m_file, other.m_file);
        return *this;
    }
    ~Lock()
    {
        if (m_file >= 0)
            ::close(m_file);
    }

    [[nodiscard]] bool isHeld() const { return m_file >= 0; }

private:
    int m_file = -1;
};

/// What could be listed; `isWhole` is cleared when that was not all.
std::vector<fs::path> entriesOf(const fs::path& folder, bool& isWhole)
{
    std::vector<fs::path> out;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        out.push_back(at->path());
    isWhole = !error;
    return out;
}

/// Only the lock is left: the folder goes. With a draft in it, it stays.
void removeIfEmpty(const fs::path& folder)
{
    bool isWhole = false;
    const std::vector<fs::path> entries = entriesOf(folder, isWhole);
    if (!isWhole || std::any_of(entries.begin(), entries.end(), [](const fs::path& each) { return each.filename() != lockName; }))
        return;
    std::error_code ignored;
    fs::remove(folder / lockName, ignored);
    fs::remove(folder, ignored);
}

} // namespace

struct Recovery::Private {
    fs::path root;
    fs::path own;
    Lock lock;

    ~Private()
    {
        if (!own.empty())
            removeIfEmpty(own);
    }
    [[nodiscard]] fs::path fileOf(std::string_view key) const { return own / (std::string(key) + std::string(suffix)); }
};

Recovery::Recovery(std::unique_ptr<Private> data)
    : d(std::move(data))
{
}

Recovery::Recovery(Recovery&&) noexcept = default;
Recovery& Recovery::operator=(Recovery&&) noexcept = default;
Recovery::~Recovery() = default;

Result<Recovery> Recovery::open(const std::string& folder)
{
    if (auto made = makeFolder(folder); !made)
        return tl::unexpected<Error>(made.error());
    if (::chmod(folder.c_str(), 0700) != 0)
        return tl::unexpected<Error>(base::systemError(errno, folder, "Making the folder private"));
    auto data = std::make_unique<Private>();
    data->root = folder;
    // A process id alone may come again, also on another machine with the same home folder.
    std::string own = (fs::path(folder) / (std::to_string(::getpid()) + "-XXXXXX")).string();
    if (!::mkdtemp(own.data()))
        return tl::unexpected<Error>(base::systemError(errno, folder, "Making a folder for drafts in"));
    data->own = own;
    data->lock = Lock(data->own / lockName);
    if (!data->lock.isHeld())
        return failure(ErrorCode::Refused, "The folder of drafts " + base::pathInQuotes(own) + " cannot be locked.");
    return Recovery(std::move(data));
}

Result<void> Recovery::keep(std::string_view key, const Draft& draft)
{
    const std::string file = d->fileOf(key).string();
    auto done = writeAtomically(file, written(draft));
    if (!done)
        return passedOn(done.error(), "Keeping the unsaved text of " + base::inQuotes(draft.title));
    (void)::chmod(file.c_str(), 0600);
    return {};
}

void Recovery::drop(std::string_view key)
{
    std::error_code ignored;
    fs::remove(d->fileOf(key), ignored);
}

Recovery::Found Recovery::orphans() const
{
    Found found;
    std::error_code ignored;
    bool isWhole = false;
    for (const fs::path& folder : entriesOf(d->root, isWhole)) {
        if (folder == d->own || !fs::is_directory(folder, ignored))
            continue;
        if (!Lock(folder / lockName).isHeld())
            continue; // its program lives
        for (const fs::path& file : entriesOf(folder, isWhole)) {
            if (file.extension() != suffix)
                continue;
            auto draft = read(file);
            if (draft)
                found.orphans.push_back({file.string(), std::move(*draft)});
            else
                found.warnings.push_back(draft.error().message);
        }
        removeIfEmpty(folder);
    }
    std::sort(found.orphans.begin(), found.orphans.end(), [](const Orphan& a, const Orphan& b) {
        return a.draft.time != b.draft.time ? a.draft.time > b.draft.time : a.file < b.file;
    });
    return found;
}

void Recovery::discard(const Orphan& orphan)
{
    const fs::path file(orphan.file);
    if (file.parent_path().parent_path() != d->root)
        return;
    std::error_code ignored;
    fs::remove(file, ignored);
    removeIfEmpty(file.parent_path());
}

} // namespace wb::store
