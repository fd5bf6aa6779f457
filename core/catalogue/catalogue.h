// The catalogue: runs and points that were imported, in one SQLite file (WAL), which the workbench and srtwb may have open at once.
// One connection per thread and one writer at a time: an object of this class belongs to the thread that made it. Another program that
// writes at the same moment is waited for. The caller must have made a QCoreApplication: Qt loads its SQL drivers only then.
#pragma once

#include "core/base/result.h"
#include "core/results/importer.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace wb::catalogue {

enum class Access {
    Write, ///< Makes the file (and its folder) when it is not there. A file that may only be read is opened so: see `whyReadOnly`.
    Read,  ///< Changes nothing on the disk, not even beside the file; one that is not there is an error, an empty one has no points.
};

/// As `Told::format`: the format is found again from the file, whatever the user said before.
inline constexpr std::string_view automaticFormat = "auto";

/// What the user wrote about a run.
struct RunNotes {
    std::string note;
    std::vector<std::string> tags; ///< Sorted.
};

class Catalogue
{
public:
    /// Opens the file and, for writing, brings its schema up to date; an older one is copied beside it first ("x.db.schema1.bak"). A file
    /// of a newer program, or of another program, is refused and left alone. A file that was made here and could not be filled is removed
    /// again.
    [[nodiscard]] static Result<Catalogue> open(const std::string& path, Access access = Access::Write);
    Catalogue(Catalogue&&) noexcept;
    Catalogue& operator=(Catalogue&&) noexcept;
    ~Catalogue();

    /// Why nothing can be changed ("permission denied"); empty when it can. `import` and `forget` then fail and say so.
    [[nodiscard]] const std::string& whyReadOnly() const;

    /// Takes files in: unchanged ones (same size and times, or else same hash, and the same run metadata beside them) stay, changed ones
    /// replace their points. All or nothing; stopped: nothing. Files that were refused or ignored are remembered too.
    [[nodiscard]] Result<results::Imported> import(const std::vector<std::string>& paths, const results::Progress& progress = {},
                                                   std::stop_token stop = {});
    /// As above. What the user says (`options.told`) is kept, also for later readings of the same files: the fields apart from what the
    /// files say, so that either can be shown. `options.skip` is the catalogue's own.
    [[nodiscard]] Result<results::Imported> import(const std::vector<std::string>& paths, const results::ImportOptions& options,
                                                   std::stop_token stop = {});
    /// Puts the user's value in place of a field of a file's points (`results::setByUser`): of one, or of all. Nothing takes that back.
    [[nodiscard]] Result<void> edit(const std::string& source, std::optional<std::size_t> document, const std::string& field,
                                    const std::optional<std::string>& text);
    /// Notes and tags of a run; they come with its points. An empty note goes.
    [[nodiscard]] Result<void> setNote(const RunId& run, const std::string& note);
    [[nodiscard]] Result<void> setTags(const RunId& run, const std::vector<std::string>& tags);
    /// All points, by run, lengths and concurrency, then by file; their paths absolute. Without those that a more detailed file of the same
    /// run gives too.
    [[nodiscard]] Result<std::vector<results::Point>> points() const;
    /// Removes files and their points; a folder stands for all below it.
    [[nodiscard]] Result<void> forget(const std::vector<std::string>& sources);

private:
    struct Private;
    explicit Catalogue(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace wb::catalogue
