#include "core/analysis/filter.h"

#include "core/base/text.h"
#include "core/results/numbers.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace wb::analysis {

namespace {

struct Operator {
    std::string_view written;
    Comparison comparison;
};
// Longer ones first: they are tried in this order.
constexpr auto operators = std::to_array<Operator>({
    {"!=", Comparison::NotEqual},
    {"<=", Comparison::LessOrEqual},
    {">=", Comparison::GreaterOrEqual},
    {"==", Comparison::Equal},
    {"=", Comparison::Equal},
    {"<", Comparison::Less},
    {">", Comparison::Greater},
    {"~", Comparison::Contains},
});

bool isKeyCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

tl::unexpected<Error> wrongTerm(std::string_view term, std::string_view why)
{
    return failure(ErrorCode::Malformed, "The term " + base::inQuotes(base::trimmed(term)) + ' ' + std::string(why));
}

class Parser
{
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    /// The next term, or nothing at the end.
    Result<std::optional<Term>> next()
    {
        skipSeparators();
        if (m_at == m_text.size())
            return std::nullopt;
        m_begin = m_at;
        Term term;
        while (m_at < m_text.size() && isKeyCharacter(m_text[m_at]))
            term.key += m_text[m_at++];
        if (term.key.empty())
            return wrongTerm(rest(), "does not begin with a key.");
        skipBlanks();
        if (!takeOperator(term))
            return wrongTerm(rest(), "has no operator after " + base::inQuotes(term.key) + "; it is one of = != < <= > >= ~.");
        skipBlanks();
        if (!takeValue(term))
            return wrongTerm(rest(), "has no end: a quote is open.");
        term.written = m_text.substr(m_begin, m_at - m_begin);
        if (term.text.empty())
            return wrongTerm(term.written, "has no value.");
        return term;
    }

    /// The word at the place; nothing, and the place as it was, before a term and at the end.
    std::optional<std::string> word()
    {
        skipSeparators();
        const std::size_t begin = m_at;
        if (begin == m_text.size())
            return std::nullopt;
        if (Term quoted; m_text[begin] == '"' && takeValue(quoted))
            return quoted.text;
        while (m_at < m_text.size() && isKeyCharacter(m_text[m_at]))
            ++m_at;
        const std::size_t end = m_at;
        skipBlanks();
        if (Term term; end > begin && takeOperator(term)) {
            m_at = begin;
            return std::nullopt;
        }
        m_at = end;
        while (m_at < m_text.size() && !isBlank(m_text[m_at]) && m_text[m_at] != ',')
            ++m_at;
        return std::string(m_text.substr(begin, m_at - begin));
    }

private:
    std::string_view rest() const { return m_text.substr(m_begin); }

    void skipSeparators()
    {
        while (m_at < m_text.size() && (isBlank(m_text[m_at]) || m_text[m_at] == ','))
            ++m_at;
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && isBlank(m_text[m_at]))
            ++m_at;
    }

    bool takeOperator(Term& term)
    {
        for (const Operator& candidate : operators)
            if (m_text.substr(m_at).starts_with(candidate.written)) {
                m_at += candidate.written.size();
                term.comparison = candidate.comparison;
                return true;
            }
        return false;
    }

    bool takeValue(Term& term)
    {
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            const std::size_t end = m_text.find('"', m_at + 1);
            if (end == std::string_view::npos)
                return false;
            term.text = m_text.substr(m_at + 1, end - m_at - 1);
            m_at = end + 1;
            return true;
        }
        while (m_at < m_text.size() && !isBlank(m_text[m_at]) && m_text[m_at] != ',')
            term.text += m_text[m_at++];
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_begin = 0;
};

std::string didYouMean(std::string_view key)
{
    std::vector<std::string_view> names;
    for (const results::TextField& field : results::textFields())
        names.push_back(field.key);
    for (const results::NumberField& field : results::numberFields())
        names.push_back(field.key);
    for (const Axis& axis : axes())
        names.push_back(axis.id);
    const std::string_view near = base::nearestName(key, names);
    return near.empty() ? std::string() : "; did you mean " + base::inQuotes(near) + "?";
}

bool isOrder(Comparison comparison)
{
    return comparison != Comparison::Equal && comparison != Comparison::NotEqual && comparison != Comparison::Contains;
}

/// Looks the key up and checks that operator and value fit it.
Result<void> bindKey(Term& term)
{
    if (results::findTextField(term.key)) {
        if (isOrder(term.comparison))
            return wrongTerm(term.written, "compares a text by order; use = != or ~.");
        return {};
    }
    if (!results::findNumberField(term.key)) {
        term.axis = findAxis(term.key);
        if (!term.axis) {
            const std::string hint = didYouMean(term.key);
            return wrongTerm(term.written, "has a key that no point has" + (hint.empty() ? std::string(".") : hint));
        }
    }
    if (term.comparison == Comparison::Contains)
        return wrongTerm(term.written, "looks for a text in a number; use = != < <= > or >=.");
    term.number = base::numberOf(term.text);
    if (!term.number)
        return wrongTerm(term.written, "needs a number after the operator.");
    return {};
}

bool compare(double value, Comparison comparison, double limit)
{
    switch (comparison) {
    case Comparison::Equal:
        return value == limit;
    case Comparison::NotEqual:
        return value != limit;
    case Comparison::Less:
        return value < limit;
    case Comparison::LessOrEqual:
        return value <= limit;
    case Comparison::Greater:
        return value > limit;
    case Comparison::GreaterOrEqual:
        return value >= limit;
    case Comparison::Contains:
        break;
    }
    return false;
}

bool compare(const std::string& value, Comparison comparison, const std::string& wanted)
{
    const std::string a = base::lowered(value);
    const std::string b = base::lowered(wanted);
    if (comparison == Comparison::Contains)
        return a.find(b) != std::string::npos;
    return (a == b) == (comparison == Comparison::Equal);
}

std::optional<double> numberOf(const Term& term, const results::Point& point)
{
    return term.axis ? valueOn(*term.axis, point).value : results::findNumberField(term.key)->of(point);
}

std::string unitOf(const Term& term)
{
    const std::string unit = term.axis ? term.axis->unit : std::string(results::findNumberField(term.key)->unit);
    return unit.empty() ? unit : ' ' + unit;
}

} // namespace

Result<Filter> parseFilter(std::string_view expression)
{
    Filter filter;
    Parser parser(expression);
    while (true) {
        Result<std::optional<Term>> term = parser.next();
        if (!term)
            return tl::unexpected<Error>(term.error());
        if (!*term)
            return filter;
        if (const Result<void> bound = bindKey(**term); !bound)
            return tl::unexpected<Error>(bound.error());
        filter.terms.push_back(std::move(**term));
    }
}

Result<Filter> parseSearch(std::string_view expression)
{
    Result<Query> query = parseQuery(expression);
    if (!query)
        return tl::unexpected<Error>(query.error());
    for (Term& term : query->terms)
        if (const Result<void> bound = bindKey(term); !bound)
            return tl::unexpected<Error>(bound.error());
    return Filter{std::move(query->terms), std::move(query->words)};
}

Result<Query> parseQuery(std::string_view expression)
{
    Query query;
    Parser parser(expression);
    while (true) {
        if (std::optional<std::string> word = parser.word()) {
            query.words.push_back(std::move(*word));
            continue;
        }
        Result<std::optional<Term>> term = parser.next();
        if (!term)
            return tl::unexpected<Error>(term.error());
        if (!*term)
            return query;
        (*term)->number = base::numberOf((*term)->text);
        query.terms.push_back(std::move(**term));
    }
}

bool holdsFor(const Term& term, std::string_view value)
{
    const auto number = term.number && term.comparison != Comparison::Contains ? base::numberOf(value) : std::nullopt;
    if (number)
        return compare(*number, term.comparison, *term.number);
    return !isOrder(term.comparison) && compare(std::string(value), term.comparison, term.text);
}

bool holds(const Term& term, const results::Point& point)
{
    if (const results::TextField* field = results::findTextField(term.key)) {
        const auto text = field->text(point);
        return text && compare(*text, term.comparison, term.text);
    }
    const auto number = numberOf(term, point);
    return number && compare(*number, term.comparison, *term.number);
}

bool holds(const Filter& filter, const results::Point& point)
{
    const auto stands = [&](const std::string& word) {
        return std::ranges::any_of(results::textFields(), [&](const results::TextField& field) {
            const auto text = field.text(point);
            return text && compare(*text, Comparison::Contains, word);
        });
    };
    return std::ranges::all_of(filter.terms, [&](const Term& term) { return holds(term, point); }) &&
           std::ranges::all_of(filter.words, stands);
}

std::string reasonAgainst(const Filter& limits, const results::Point& point)
{
    for (const Term& term : limits.terms) {
        if (holds(term, point))
            continue;
        const results::TextField* field = results::findTextField(term.key);
        const auto text = field ? field->text(point) : std::nullopt;
        const auto number = field ? std::nullopt : numberOf(term, point);
        if (!text && !number)
            return term.key + " is not known, so the limit " + term.written + " cannot be checked.";
        return term.key + " is " + (text ? *text : results::significant(*number) + unitOf(term)) + ", outside the limit " + term.written +
               '.';
    }
    return {};
}

} // namespace wb::analysis
