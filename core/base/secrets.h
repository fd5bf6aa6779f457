// Secrets by their look: what stands at a name that says so. For what is shown, exported and logged; what is sent holds them as they are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wb::base {

inline constexpr std::string_view secretMask = "********";

/// A word of the name is TOKEN, KEY, SECRET, PASSWORD, CREDENTIAL or AUTH, or ends in one ("APIKEY"); case does not count. Numbers of
/// tokens ("max_tokens"), measures of them ("per_token", "token_threshold") and tokenizers are none.
[[nodiscard]] bool isSecretName(std::string_view name);

/// A value behind a name of a secret in a text: where it stands. `name` is a part of the text.
struct SecretPlace {
    std::string_view name;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Every value that stands behind such a name: "NAME=...", "NAME: ...", "--name=...", "--name" and the next word, in whatever quotes; in
/// order. What tells nothing by itself ("$NAME", a switch, what is masked already) is left out.
[[nodiscard]] std::vector<SecretPlace> secretsIn(std::string_view text);

/// The text with those masked, and with the user part of URLs that carry credentials. Masking twice changes nothing.
[[nodiscard]] std::string maskedSecrets(std::string_view text);

/// A value as it may be shown beside its key ("environment.HF_TOKEN"): masked as a whole when the last part of the key is such a name,
/// else as a text.
[[nodiscard]] std::string shownValue(std::string_view key, std::string_view value);

} // namespace wb::base
