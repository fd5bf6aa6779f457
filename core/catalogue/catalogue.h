// The catalogue: runs and points that were imported, in one SQLite file (WAL), which the workbench and srtwb may have open at once.
// One connection per thread and one writer at a time: an object of this class belongs to the thread that made it.
#pragma once

#include "core/base/result.h"
#include "core/results/importer.h"

#include <memory>
#include <string>
#include <vector>

namespace wb::catalogue {

class Catalogue
{
public:
    /// Opens or makes the file, brings its schema up to date. A file of a newer program is refused and left alone.
    [[nodiscard]] static Result<Catalogue> open(const std::string& path);
    Catalogue(Catalogue&&) noexcept;
    Catalogue& operator=(Catalogue&&) noexcept;
    ~Catalogue();

    /// Takes files in: unchanged ones (same size, time and hash) stay, changed ones replace their points. All or nothing.
    [[nodiscard]] Result<results::Imported> import(const std::vector<std::string>& paths, const results::Progress& progress = {},
                                                   std::stop_token stop = {});
    [[nodiscard]] Result<std::vector<results::Point>> points() const;
    [[nodiscard]] Result<void> forget(const std::vector<std::string>& sources); ///< Removes files and their points.

private:
    struct Private;
    explicit Catalogue(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace wb::catalogue
