// Filters over points: terms `key op value`, joined by blanks or commas, all of which must hold.
//
//   concurrency>=8 hardware=gb200, engine!=trtllm model~"DeepSeek R1" ttft-p99<=2000
//
// Keys are a point's keys ("concurrency", "gpus.working", "hardware") or axis ids ("ttft-p99"). Operators: = != < <= > >= and ~ (contains).
// Texts are compared without regard to case. A value with blanks or commas goes in double quotes. What is not known satisfies no term.
#pragma once

#include "core/analysis/axes.h"
#include "core/base/result.h"
#include "core/results/point.h"

#include <string>
#include <string_view>
#include <vector>

namespace wb::analysis {

enum class Comparison { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, Contains };

struct Term {
    std::string written; ///< As it stands in the expression.
    std::string key;
    Comparison comparison = Comparison::Equal;
    std::string text;
    std::optional<double> number; ///< The value, for keys that are numbers.
    const Axis* axis = nullptr;   ///< For axis ids.
};

struct Filter {
    std::vector<Term> terms;
    std::vector<std::string> words; ///< Of `parseSearch` only: each stands in one of the point's texts.
};

/// Says which term is wrong and why.
[[nodiscard]] Result<Filter> parseFilter(std::string_view expression);

/// As `parseFilter`, and what no operator follows is a word to be looked for: what a person types into a search field.
[[nodiscard]] Result<Filter> parseSearch(std::string_view expression);

[[nodiscard]] bool holds(const Term& term, const results::Point& point);
[[nodiscard]] bool holds(const Filter& filter, const results::Point& point);

/// Why a point breaks a limit: "ttft-p99 is 2,500 ms, the limit is ttft-p99<=2000"; empty when all hold.
[[nodiscard]] std::string reasonAgainst(const Filter& limits, const results::Point& point);

/// What a list of anything is searched with: words, and terms of the grammar above. A word is what no operator follows.
struct Query {
    std::vector<std::string> words; ///< Quotes taken off.
    std::vector<Term> terms;        ///< Keys are not looked up; `number` is set when the value is one.
};
[[nodiscard]] Result<Query> parseQuery(std::string_view expression);

/// A value that stands as text satisfies the term: as numbers where both are, else as texts, which have no order.
[[nodiscard]] bool holdsFor(const Term& term, std::string_view value);

} // namespace wb::analysis
