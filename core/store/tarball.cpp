#include "core/store/tarball.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace wb::store {

namespace {

constexpr std::size_t block = 512;
constexpr std::size_t longestName = 100;
constexpr std::size_t longestPrefix = 155;

/// Octal digits and a NUL, as the fields of the header have them.
void putNumber(std::string& header, std::size_t at, std::size_t width, std::uint64_t number)
{
    for (std::size_t i = width - 1; i-- > 0; number /= 8)
        header[at + i] = static_cast<char>('0' + number % 8);
}

/// Where the name is parted into prefix and rest; its size when it need not be, npos when it cannot be.
std::size_t partingOf(const std::string& name)
{
    if (name.size() <= longestName)
        return name.size();
    for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
        if (slash <= longestPrefix && name.size() - slash - 1 <= longestName)
            return slash;
    }
    return std::string::npos;
}

std::string header(const std::string& name, std::size_t parting, std::uint64_t size)
{
    std::string out(block, '\0');
    const bool isWhole = parting == name.size();
    const std::string rest = isWhole ? name : name.substr(parting + 1);
    out.replace(0, rest.size(), rest);
    putNumber(out, 100, 8, 0644);
    putNumber(out, 108, 8, 0);
    putNumber(out, 116, 8, 0);
    putNumber(out, 124, 12, size);
    putNumber(out, 136, 12, 0);
    out.replace(148, 8, 8, ' '); // the checksum counts itself as blanks
    out[156] = '0';
    out.replace(257, 8, std::string_view("ustar\00000", 8));
    if (!isWhole)
        out.replace(345, parting, name, 0, parting);
    std::uint64_t sum = 0;
    for (const char c : out)
        sum += static_cast<unsigned char>(c);
    putNumber(out, 148, 7, sum);
    out[154] = '\0';
    return out;
}

} // namespace

Result<std::string> tarball(const std::string& folder, std::span<const FolderFile> files)
{
    std::string out;
    for (const FolderFile& file : files) {
        const std::string name = folder.empty() ? file.name : folder + '/' + file.name;
        const std::size_t parting = partingOf(name);
        if (parting == std::string::npos)
            return failure(ErrorCode::Refused, "The name " + base::inQuotes(name) + " is too long for a tar archive; export a folder.");
        out += header(name, parting, file.bytes.size());
        out += file.bytes;
        out.append((block - file.bytes.size() % block) % block, '\0');
    }
    out.append(2 * block, '\0');
    return out;
}

} // namespace wb::store
