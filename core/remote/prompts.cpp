#include "core/remote/prompts.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::remote {

namespace {

/// The subject stands between `before` and `after`.
struct Row {
    PromptKind kind;
    std::string_view words; ///< Must occur.
    std::string_view before;
    std::string_view after;
};

constexpr std::array rows = {
    Row{PromptKind::HostKey, "authenticity of host", "authenticity of host '", "'"},
    Row{PromptKind::HostKey, "Are you sure you want to continue connecting", "", ""},
    Row{PromptKind::HostKey, "Please type 'yes', 'no' or the fingerprint", "", ""},
    Row{PromptKind::Passphrase, "Enter passphrase for key", "for key '", "'"},
    Row{PromptKind::Passphrase, "Enter passphrase for", "Enter passphrase for ", ":"},
    Row{PromptKind::Password, "'s password", "", "'s password"},
    Row{PromptKind::Pin, "Enter PIN for", "Enter PIN for ", ":"},
    Row{PromptKind::Pin, "Confirm user presence", "for key ", ""},
    Row{PromptKind::Code, "erification code", "(", ")"},
    Row{PromptKind::Code, "ne-time password", "(", ")"},
    Row{PromptKind::Code, "OTP", "(", ")"},
    Row{PromptKind::Code, "Duo two-factor", "(", ")"},
    Row{PromptKind::Code, "Passcode", "(", ")"},
    Row{PromptKind::Password, "Password:", "(", ")"},
    Row{PromptKind::Password, "password:", "(", ")"},
};

std::string between(std::string_view text, std::string_view before, std::string_view after)
{
    const std::size_t begin = before.empty() ? 0 : text.find(before);
    if (begin == std::string_view::npos)
        return {};
    const std::string_view rest = text.substr(begin + before.size());
    const std::size_t end = after.empty() ? rest.size() : rest.find(after);
    return end == std::string_view::npos ? std::string() : std::string(base::trimmed(rest.substr(0, end)));
}

} // namespace

Prompt promptOf(std::string_view words)
{
    Prompt prompt;
    prompt.words = words;
    const auto* const row =
        std::find_if(rows.begin(), rows.end(), [&](const Row& each) { return words.find(each.words) != std::string_view::npos; });
    if (row == rows.end())
        return prompt;
    prompt.kind = row->kind;
    if (!row->before.empty() || !row->after.empty())
        prompt.subject = between(words, row->before, row->after);
    if (const std::size_t at = words.find("SHA256:"); at != std::string_view::npos) {
        const std::string_view rest = words.substr(at);
        std::string_view print = rest.substr(0, std::min(rest.find_first_of(" \n\t"), rest.size()));
        if (print.ends_with('.'))
            print.remove_suffix(1);
        prompt.fingerprint = print;
    }
    return prompt;
}

bool mayBeKept(PromptKind kind)
{
    return kind == PromptKind::Passphrase || kind == PromptKind::Password;
}

} // namespace wb::remote
