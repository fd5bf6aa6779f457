#include "app/cli/outfiles.h"

#include "core/base/files.h"
#include "core/base/safename.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace wb::cli {

namespace fs = std::filesystem;

std::string uniqueName(const std::string& wanted, std::set<std::string>& taken)
{
    std::string name = wanted;
    for (std::size_t i = 2; !taken.insert(name).second; ++i)
        name = wanted + "_" + std::to_string(i);
    return name;
}

bool isBelow(const std::string& file, const std::string& folder)
{
    std::error_code error;
    const fs::path inner = fs::weakly_canonical(fs::absolute(file, error), error);
    const fs::path outer = fs::weakly_canonical(fs::absolute(folder, error), error);
    const auto [rest, ignored] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return !error && (rest == outer.end() || rest->empty()); // a path that ends with "/" has an empty last part
}

std::string variantStem(const std::string& recipePath, const std::string* suffix, bool isSweep, std::string_view jobName)
{
    const std::string stem = recipePath == "-" ? "recipe" : fs::path(recipePath).stem().string();
    if (suffix)
        return base::safeName(stem + "_" + *suffix);
    return isSweep ? base::safeName(jobName) : stem;
}

Result<void> writeFiles(const std::vector<OutFile>& files, bool mayReplace)
{
    for (const OutFile& file : files) {
        std::error_code error;
        if (mayReplace || !fs::exists(file.path, error))
            continue;
        const auto old = base::readFile(file.path);
        if (!old || *old != file.bytes)
            return failure(ErrorCode::Refused,
                           base::pathInQuotes(file.path) + " exists already, and nothing was written; --force replaces it.");
    }
    std::vector<std::string> added;
    std::vector<std::string> replaced;
    const auto stopped = [&](Error error) -> Result<void> {
        for (const std::string& path : added) {
            std::error_code failed;
            fs::remove(path, failed);
            if (failed)
                replaced.push_back(path);
        }
        if (!replaced.empty())
            error.message += " What had been written before stands: " + base::joined(replaced, ", ") + ".";
        else if (!added.empty())
            error.message += " What had been written before was taken away again.";
        return tl::unexpected<Error>(std::move(error));
    };
    for (const OutFile& file : files) {
        const fs::path folder = fs::path(file.path).parent_path();
        if (!folder.empty()) {
            if (auto made = store::makeFolder(folder.string()); !made)
                return stopped(std::move(made.error()));
        }
        std::error_code error;
        const bool isThere = fs::exists(file.path, error);
        if (isThere && !mayReplace) // it has these bytes, as was seen above
            continue;
        if (auto done = store::writeAtomically(file.path, file.bytes); !done)
            return stopped(std::move(done.error()));
        (isThere ? replaced : added).push_back(file.path);
    }
    return {};
}

} // namespace wb::cli
