// A folder of its own for one test, removed with all that is in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wb::test {

class TemporaryFolder
{
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::string below(std::string_view name) const { return (m_path / name).string(); }
    /// Writes a file, with the folders it needs; its path.
    std::string put(std::string_view name, std::string_view bytes) const;

private:
    std::filesystem::path m_path;
};

} // namespace wb::test
