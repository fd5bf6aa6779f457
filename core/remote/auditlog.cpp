#include "core/remote/auditlog.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/render/secrets.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace wb::remote {

namespace {

constexpr std::string_view hidden = "***";
constexpr std::string_view olderSuffix = ".1";

bool isNamePart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Where the value that begins at `at` ends, as a shell reads it: before a blank or another end of a word, but behind any part that is in
/// quotes. `quote`: the quote that the assignment itself is in ('TOKEN=a b'), or 0: the value ends at it.
std::size_t endOfValue(std::string_view text, std::size_t at, char quote = 0)
{
    if (quote != 0)
        return std::min(text.find(quote, at), text.size());
    while (at < text.size() && std::string_view(" \t\n;,&|").find(text[at]) == std::string_view::npos) {
        if (text[at] == '\\') {
            at += 2;
        } else if (text[at] == '\'' || text[at] == '"') {
            const std::size_t close = text.find(text[at], at + 1);
            at = close == std::string_view::npos ? text.size() : close + 1;
        } else {
            ++at;
        }
    }
    return std::min(at, text.size());
}

/// The quote in front of the name that begins at `begin`; 0 for none.
char quoteBefore(std::string_view text, std::size_t begin)
{
    return begin > 0 && (text[begin - 1] == '\'' || text[begin - 1] == '"') ? text[begin - 1] : '\0';
}

} // namespace

std::string redacted(std::string_view text, const std::vector<std::string>& secrets)
{
    std::string out(text);
    for (const std::string& secret : secrets)
        if (!secret.empty())
            out = base::replacedAll(out, secret, hidden);
    for (std::size_t at = out.find('='); at != std::string::npos; at = out.find('=', at + 1)) {
        std::size_t begin = at;
        while (begin > 0 && isNamePart(out[begin - 1]))
            --begin;
        const std::size_t end = endOfValue(out, at + 1, quoteBefore(out, begin));
        if (begin < at && end > at + 1 && render::isSecretName(std::string_view(out).substr(begin, at - begin)))
            out.replace(at + 1, end - at - 1, hidden);
    }
    constexpr std::string_view bearer = "Bearer ";
    for (std::size_t at = out.find(bearer); at != std::string::npos; at = out.find(bearer, at + 1)) {
        const std::size_t begin = at + bearer.size();
        out.replace(begin, std::min(out.find_first_of(" \t\n'\"", begin), out.size()) - begin, hidden);
    }
    for (std::size_t at = out.find("://"); at != std::string::npos; at = out.find("://", at + 1)) {
        const std::size_t begin = at + 3;
        const std::size_t end = std::min(out.find_first_of("/ \n'\"", begin), out.size());
        const std::size_t sign = out.find('@', begin);
        if (sign != std::string::npos && sign < end && out.substr(begin, sign - begin).find(':') != std::string::npos)
            out.replace(begin, sign - begin, hidden);
    }
    return out;
}

Result<std::string> readAuditLog(const std::string& path)
{
    const auto inode = [&path]() -> ino_t {
        struct stat found = {};
        return ::stat(path.c_str(), &found) == 0 ? found.st_ino : 0;
    };
    auto older = base::readFile(path + std::string(olderSuffix));
    ino_t seen = inode();
    auto newer = base::readFile(path);
    constexpr int mostTries = 5; // it does not become full that often
    for (int i = 0; i < mostTries && inode() != seen; ++i) {
        // It was set aside meanwhile.
        seen = inode();
        older = base::readFile(path + std::string(olderSuffix));
        newer = base::readFile(path);
    }
    if (!newer && (newer.error().code != ErrorCode::NotFound || !older))
        return newer;
    if (!older && older.error().code != ErrorCode::NotFound)
        return older;
    return older.value_or(std::string()) + newer.value_or(std::string());
}

AuditLog::AuditLog(std::string path, std::vector<std::string> secrets, std::int64_t mostBytes)
    : m_path(std::move(path))
    , m_mostBytes(mostBytes)
    , m_secrets(std::move(secrets))
{
}

int AuditLog::opened() const
{
    const auto open = [this] { return ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600); };
    const int file = open();
    struct stat here = {};
    if (file < 0 || ::fstat(file, &here) != 0 || here.st_size < m_mostBytes)
        return file;
    // Of several programs that see it full one sets it aside; to the others it is not the file of that name any more.
    struct stat named = {};
    if (::flock(file, LOCK_EX) == 0 && ::stat(m_path.c_str(), &named) == 0 && named.st_ino == here.st_ino && named.st_dev == here.st_dev &&
        ::rename(m_path.c_str(), (m_path + std::string(olderSuffix)).c_str()) != 0)
        return file; // it grows on
    ::close(file);
    return open();
}

void AuditLog::add(const AuditEntry& entry)
{
    const std::scoped_lock lock(m_mutex);
    base::json::Value value;
    value.append("time", entry.time);
    value.append("host", entry.host);
    value.append("title", redacted(entry.title, m_secrets));
    value.append("command", redacted(entry.command, m_secrets));
    value.append("outcome", redacted(entry.outcome, m_secrets));
    value.append("ms", entry.durationMs);
    const std::string line = base::json::write(value, 0) + '\n';
    const int file = opened();
    // One write: lines of several programs do not mix.
    const ssize_t written = file < 0 ? -1 : ::write(file, line.data(), line.size());
    if (written != static_cast<ssize_t>(line.size()) && m_trouble.empty())
        m_trouble = base::systemError(written < 0 ? errno : ENOSPC, m_path, "Writing the audit log").message;
    if (file >= 0)
        ::close(file);
}

void AuditLog::hide(const std::vector<std::string>& secrets)
{
    const std::scoped_lock lock(m_mutex);
    m_secrets.insert(m_secrets.end(), secrets.begin(), secrets.end());
}

std::string AuditLog::trouble() const
{
    const std::scoped_lock lock(m_mutex);
    return m_trouble;
}

} // namespace wb::remote
