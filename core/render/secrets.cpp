#include "core/render/secrets.h"

#include "core/base/json.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/syntax/pythontext.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wb::render {

namespace {

constexpr std::array<std::string_view, 8> words = {"token", "key", "keys", "secret", "password", "passwd", "credential", "auth"};
constexpr std::size_t shortest = 6; ///< Shorter texts stand everywhere by chance.

bool isSecretWord(std::string_view word)
{
    return word == "authorization" || word == "credentials" || word == "secrets" ||
           std::any_of(words.begin(), words.end(), [&](std::string_view each) { return word.ends_with(each); });
}

/// The texts by which a value goes into artifacts: a number as it is written, and as it is printed. A switch is no secret.
std::vector<std::string> textsOf(const syntax::Value& value)
{
    if (value.isString())
        return {value.text};
    if (value.kind == syntax::Kind::Integer || value.kind == syntax::Kind::Float)
        return {value.text, syntax::pythonText(value)};
    std::vector<std::string> out;
    for (const syntax::ValuePtr& item : value.items)
        if (item->isString())
            out.push_back(item->text);
    return out;
}

void addSecrets(const syntax::ValuePtr& value, std::vector<Secret>& out)
{
    if (!value)
        return;
    for (const syntax::ValuePtr& item : value->items)
        addSecrets(item, out);
    for (const syntax::Member& member : value->members) {
        if (isSecretName(member.key)) {
            for (std::string& text : textsOf(*member.value))
                if (!text.empty() && text.front() != '$')
                    out.push_back({member.key, std::move(text)});
        }
        addSecrets(member.value, out);
    }
}

/// The text as it may stand within quotes of a shell or of JSON.
std::vector<std::string> spellings(const std::string& value)
{
    std::vector<std::string> out{value, base::shellQuoted(value)};
    const std::string json = base::json::write(base::json::Value(value), 0);
    out.push_back(json.substr(1, json.size() - 2));
    out.push_back(base::replacedAll(value, "'", "''"));
    return out;
}

/// "https://name:word@host" without what stands before the "@".
std::string withoutCredentials(const std::string& text)
{
    std::string out;
    std::size_t from = 0;
    for (std::size_t at = text.find("://"); at != std::string::npos; at = text.find("://", from)) {
        const std::size_t begin = at + 3;
        const std::size_t end = std::min(text.find_first_of("/?#\"'` \t\r\n,;()<>", begin), text.size());
        const std::size_t sign = text.rfind('@', end == 0 ? 0 : end - 1);
        out += text.substr(from, begin - from);
        from = begin;
        if (sign == std::string::npos || sign < begin || sign >= end)
            continue;
        out += secretMask;
        from = sign;
    }
    return out + text.substr(from);
}

} // namespace

bool isSecretName(std::string_view name)
{
    std::string word;
    const std::string lowered = base::lowered(name);
    for (const char c : lowered + "_") {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            word += c;
            continue;
        }
        if (isSecretWord(word))
            return true;
        word.clear();
    }
    return false;
}

std::vector<Secret> secretsOf(const recipe::Job& job, const recipe::Cluster& cluster)
{
    std::vector<Secret> out;
    addSecrets(job.config, out);
    if (job.written != job.config)
        addSecrets(job.written, out);
    addSecrets(cluster.config, out);
    // The longest first, so that one that holds another goes as a whole.
    std::sort(out.begin(), out.end(), [](const Secret& a, const Secret& b) {
        return std::pair(b.value.size(), std::pair(a.name, a.value)) < std::pair(a.value.size(), std::pair(b.name, b.value));
    });
    const auto same = [](const Secret& a, const Secret& b) { return a.name == b.name && a.value == b.value; };
    out.erase(std::unique(out.begin(), out.end(), same), out.end());
    return out;
}

std::string masked(std::string text, std::span<const Secret> secrets)
{
    for (const Secret& secret : secrets) {
        for (const std::string& spelling : spellings(secret.value)) {
            if (secret.value.size() >= shortest) {
                text = base::replacedAll(text, spelling, secretMask);
                continue;
            }
            for (const std::string_view sign : {"=", ": ", ": \"", ": '", "\t", "\": \"", "=\"", "='"}) {
                std::string name = secret.name;
                name += sign;
                std::string hidden = name;
                hidden += secretMask;
                name += spelling;
                text = base::replacedAll(text, name, hidden);
            }
        }
    }
    return withoutCredentials(text);
}

} // namespace wb::render
