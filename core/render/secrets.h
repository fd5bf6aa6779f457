// Secrets of a job: what views and exports must not show. What is sent holds them as they are.
#pragma once

#include "core/recipe/job.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb::render {

inline constexpr std::string_view secretMask = "********";

struct Secret {
    std::string name;  ///< Of the variable or key.
    std::string value; ///< Never empty.
};

/// A word of the name is TOKEN, KEY, SECRET, PASSWORD, CREDENTIAL or AUTH, or ends in one ("APIKEY"); case does not count. Numbers of
/// tokens ("max_tokens") and tokenizers are none.
[[nodiscard]] bool isSecretName(std::string_view name);

/// Texts, texts of lists and numbers at such names anywhere in the resolved recipe and in the cluster file, whatever they look like: a key
/// at a name that does not say so is not found. What refers to a variable ("$HF_TOKEN") tells nothing and is none.
[[nodiscard]] std::vector<Secret> secretsOf(const recipe::Job& job, const recipe::Cluster& cluster);

/// The text with each secret masked, in whatever quoting it stands, and with the user part of URLs that carry credentials. Secrets shorter
/// than six bytes are masked only behind their name.
[[nodiscard]] std::string masked(std::string text, std::span<const Secret> secrets);

} // namespace wb::render
