#include "core/store/sentfiles.h"

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/store/atomicfile.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

namespace wb::store {

namespace fs = std::filesystem;

namespace {

std::string copiesOf(const std::string& folder)
{
    return folder + "/sent";
}

bool isHash(std::string_view text)
{
    return text.size() == 64 &&
           std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void removeOldest(const std::string& folder, std::size_t most)
{
    std::error_code error;
    std::vector<std::pair<fs::file_time_type, fs::path>> all;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        all.emplace_back(entry.last_write_time(error), entry.path());
    if (all.size() <= most)
        return;
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size() - most; ++i)
        fs::remove(all[i].second, error);
}

} // namespace

Result<void> keepSent(const std::string& folder, std::span<const SentBytes> files, std::size_t most)
{
    const std::string copies = copiesOf(folder);
    if (auto made = makeFolder(copies); !made)
        return made;
    (void)::chmod(copies.c_str(), 0700);
    for (const SentBytes& file : files) {
        if (!isHash(file.sha256))
            continue;
        const std::string path = copies + '/' + std::string(file.sha256);
        std::error_code error;
        if (fs::file_size(path, error) == file.bytes.size() && !error)
            continue;
        std::ofstream out(path, std::ios::binary | std::ios::trunc);
        out.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()));
        out.close();
        if (!out)
            return failure(ErrorCode::Denied, "The copy of what is sent could not be written to " + base::pathInQuotes(copies) + '.');
        (void)::chmod(path.c_str(), 0600);
    }
    removeOldest(copies, most);
    return {};
}

Result<std::string> sentBytes(const std::string& folder, std::string_view sha256)
{
    if (!isHash(sha256))
        return failure(ErrorCode::NotFound, "There is no copy of what was sent.");
    auto bytes = base::readFile(copiesOf(folder) + '/' + std::string(sha256));
    if (bytes && base::sha256Hex(*bytes) != sha256)
        return failure(ErrorCode::Malformed, "The copy of what was sent is not what was sent.");
    return bytes;
}

} // namespace wb::store
