// What ssh asks, by the words that it hands to its SSH_ASKPASS program.
//
// To add one: a row in prompts.cpp. What has no row is asked as it is, and never answered from memory.
#pragma once

#include <string>
#include <string_view>

namespace wb::remote {

enum class PromptKind {
    Passphrase, ///< Of a key file.
    Password,   ///< Of user@host.
    HostKey,    ///< Whether an unknown host key is accepted: yes, no, or the fingerprint.
    Pin,        ///< Of a token; also "confirm user presence", which wants no answer.
    Code,       ///< A second factor.
    Other,
};

struct Prompt {
    PromptKind kind = PromptKind::Other;
    std::string subject;     ///< The key file, user@host, or host; empty: the words do not say.
    std::string fingerprint; ///< Of a host key: "SHA256:...".
    std::string words;       ///< As ssh says it.

    friend bool operator==(const Prompt&, const Prompt&) = default;
};

[[nodiscard]] Prompt promptOf(std::string_view words);

/// The answer may be kept for the session: a passphrase or password, never a code, never the question of a host key.
[[nodiscard]] bool mayBeKept(PromptKind kind);

} // namespace wb::remote
