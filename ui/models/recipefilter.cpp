#include "ui/models/recipefilter.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace wb::ui {

namespace {

std::string_view verdictOf(const RecipeSummary& summary)
{
    if (!summary.unreadable.empty())
        return "unreadable";
    if (!summary.isRecipe)
        return "none";
    return summary.errors > 0 ? "errors" : summary.warnings > 0 ? "warnings" : "valid";
}

/// Keys of the list itself. To add one: a row.
struct Key {
    std::string_view name;
    std::string (*of)(const RecipeSummary&);
};
constexpr auto keys = std::to_array<Key>({
    {"model", [](const RecipeSummary& s) { return s.model; }},
    {"gpu_type", [](const RecipeSummary& s) { return s.gpu; }},
    {"gpu", [](const RecipeSummary& s) { return s.gpu; }},
    {"engine", [](const RecipeSummary& s) { return s.engine; }},
    {"topology", [](const RecipeSummary& s) { return s.topology; }},
    {"jobs", [](const RecipeSummary& s) { return std::to_string(s.jobs); }},
    {"errors", [](const RecipeSummary& s) { return std::to_string(s.errors); }},
    {"warnings", [](const RecipeSummary& s) { return std::to_string(s.warnings); }},
    {"verdict", [](const RecipeSummary& s) { return std::string(verdictOf(s)); }},
    {"schema", [](const RecipeSummary& s) { return std::to_string(s.schema); }},
    {"alike", [](const RecipeSummary& s) { return std::to_string(s.group); }},
});

const Key* keyOf(const std::string& name)
{
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
    return found == keys.end() ? nullptr : &*found;
}

/// "isl" means "benchmark.isl"; the two marks that part words count the same.
bool isMeant(std::string_view path, std::string_view wanted)
{
    if (path.size() < wanted.size() || (path.size() > wanted.size() && path[path.size() - wanted.size() - 1] != '.'))
        return false;
    const auto plain = [](char c) { return c == '-' ? '_' : c; };
    return std::equal(wanted.begin(), wanted.end(), path.end() - static_cast<std::ptrdiff_t>(wanted.size()),
                      [&](char a, char b) { return plain(a) == plain(b); });
}

bool contains(std::string_view text, const std::string& word)
{
    return base::lowered(text).find(word) != std::string::npos;
}

bool holdsInAJob(const std::vector<analysis::Term>& terms, const RecipeSummary& summary)
{
    std::vector<std::vector<const check::SummaryValue*>> values;
    std::vector<const analysis::Term*> ofJobs;
    std::size_t jobs = 1;
    for (const analysis::Term& term : terms) {
        if (!summary.isRecipe && term.key != "verdict")
            return false;
        if (const Key* key = keyOf(term.key)) {
            const std::string value = key->of(summary);
            if (value.empty() || !analysis::holdsFor(term, value))
                return false;
            continue;
        }
        ofJobs.push_back(&term);
        values.emplace_back();
        for (const check::SummaryValue& value : summary.values) {
            if (isMeant(value.path, term.key)) {
                values.back().push_back(&value);
                jobs = std::max(jobs, value.values.size());
            }
        }
    }
    for (std::size_t job = 0; job < jobs; ++job) {
        bool holds = true;
        for (std::size_t i = 0; i < ofJobs.size() && holds; ++i) {
            holds = std::any_of(values[i].begin(), values[i].end(), [&](const check::SummaryValue* value) {
                const std::string& at = value->values.size() == 1 ? value->values.front() : value->values[job];
                return !at.empty() && analysis::holdsFor(*ofJobs[i], at);
            });
        }
        if (holds)
            return true;
    }
    return false;
}

} // namespace

Result<RecipeFilter> RecipeFilter::read(const QString& written)
{
    auto query = analysis::parseQuery(written.toStdString());
    if (!query)
        return tl::unexpected(std::move(query.error()));
    RecipeFilter out;
    out.m_query = std::move(*query);
    for (std::string& word : out.m_query.words)
        word = base::lowered(word);
    return out;
}

bool RecipeFilter::passes(std::string_view path, const RecipeSummary* summary) const
{
    const auto occurs = [&](const std::string& word) {
        if (contains(path, word))
            return true;
        return summary && (contains(summary->model, word) || contains(summary->gpu, word) || contains(summary->engine, word) ||
                           contains(summary->topology, word) || contains(verdictOf(*summary), word));
    };
    if (!std::all_of(m_query.words.begin(), m_query.words.end(), occurs))
        return false;
    return m_query.terms.empty() || (summary && holdsInAJob(m_query.terms, *summary));
}

bool RecipeFilter::passesFolder(std::string_view path) const
{
    return m_query.terms.empty() && !m_query.words.empty() &&
           std::all_of(m_query.words.begin(), m_query.words.end(), [&](const std::string& word) { return contains(path, word); });
}

std::string RecipeFilter::unknownKey(const RecipeSummaries& summaries) const
{
    for (const analysis::Term& term : m_query.terms) {
        const bool isKnown = keyOf(term.key) || std::any_of(summaries.begin(), summaries.end(), [&](const auto& each) {
                                 return std::any_of(each.second.values.begin(), each.second.values.end(),
                                                    [&](const check::SummaryValue& value) { return isMeant(value.path, term.key); });
                             });
        if (!isKnown)
            return term.key;
    }
    return {};
}

} // namespace wb::ui
