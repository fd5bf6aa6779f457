#include "core/render/secrets.h"

#include "core/base/json.h"
#include "core/base/secrets.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/syntax/pythontext.h"

#include <algorithm>
#include <utility>

namespace wb::render {

namespace {

constexpr std::size_t shortest = 6; ///< Shorter texts stand everywhere by chance.

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

/// A word such as "prefill", which a whole job is full of: it is masked behind its name alone.
bool isCommonWord(std::string_view value)
{
    return std::all_of(value.begin(), value.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '-'; });
}

void addFromText(std::string_view text, std::vector<Secret>& out)
{
    for (const base::SecretPlace& found : base::secretsIn(text)) {
        const std::string_view value = text.substr(found.begin, found.end - found.begin);
        if (value.size() < shortest || !isCommonWord(value))
            out.push_back({std::string(found.name), std::string(value)});
    }
}

void addLeaves(const std::string& name, const syntax::Value& value, std::vector<Secret>& out)
{
    for (std::string& text : textsOf(value))
        if (!text.empty() && text.front() != '$')
            out.push_back({name, std::move(text)});
    for (const syntax::ValuePtr& item : value.items)
        if (item->members.size() + item->items.size() > 0)
            addLeaves(name, *item, out);
    for (const syntax::Member& member : value.members)
        addLeaves(member.key, *member.value, out);
}

/// The value of a flag that stands before it in a list of words.
bool isFlagOfSecret(const syntax::Value& word)
{
    return word.isString() && word.text.starts_with('-') && word.text.find('=') == std::string::npos && isSecretName(word.text);
}

void addSecrets(const syntax::ValuePtr& value, std::vector<Secret>& out)
{
    if (!value)
        return;
    if (value->isString())
        addFromText(value->text, out);
    const syntax::Value* before = nullptr;
    for (const syntax::ValuePtr& item : value->items) {
        if (before && isFlagOfSecret(*before) && item->isString() && !item->text.empty() && item->text.front() != '$' &&
            item->text.front() != '-')
            out.push_back({before->text, item->text});
        addSecrets(item, out);
        before = item.get();
    }
    const syntax::Member* named = value->member("name");
    for (const syntax::Member& member : value->members) {
        const bool isNamed = member.key == "value" && named && named->value->isString() && isSecretName(named->value->text);
        if (isNamed || isSecretName(member.key))
            addLeaves(isNamed ? named->value->text : member.key, *member.value, out);
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

} // namespace

bool isSecretName(std::string_view name)
{
    return base::isSecretName(name);
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
    return base::maskedSecrets(text);
}

} // namespace wb::render
