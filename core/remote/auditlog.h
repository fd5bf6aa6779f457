// Every command that went to a cluster, for whoever must say later what was done there: one JSON object a line, in the state folder.
//
// A window that watches jobs adds some megabytes a day: a file that has grown to its bound becomes the older part, beside it with ".1" at
// its end, in the place of the one before.
#pragma once

#include "core/base/result.h"
#include "core/remote/transport.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace wb::remote {

/// The text with what looks like a secret taken out: the values given, and what stands behind "...TOKEN=", "...PASSWORD=", "...SECRET=",
/// "...KEY=", "Bearer " and in the user part of URLs.
[[nodiscard]] std::string redacted(std::string_view text, const std::vector<std::string>& secrets = {});

/// The log with its older part in front. NotFound: there is none.
[[nodiscard]] Result<std::string> readAuditLog(const std::string& path);

class AuditLog
{
public:
    /// `path`: the file; made when the first entry comes, readable by its owner only. `secrets`: values that must not appear.
    /// `mostBytes`: see above.
    AuditLog(std::string path, std::vector<std::string> secrets, std::int64_t mostBytes = std::int64_t{16} << 20);

    /// Adds an entry; may be called from several threads and programs at once. A full disk here is told once, by `trouble`.
    void add(const AuditEntry& entry);
    /// Further values that must not appear from now on.
    void hide(const std::vector<std::string>& secrets);
    [[nodiscard]] std::string trouble() const;

private:
    [[nodiscard]] int opened() const; ///< The file, after setting a full one aside; -1 with errno.

    std::string m_path;
    std::int64_t m_mostBytes;
    mutable std::mutex m_mutex; ///< Of what follows.
    std::vector<std::string> m_secrets;
    std::string m_trouble;
};

} // namespace wb::remote
