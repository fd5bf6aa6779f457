// What a GPU costs and draws, as the user says: no result file knows a price, and few a power. From these and the counts of a point follow
// the axes of cost and of energy.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/results/point.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::analysis {

/// A number for one kind of GPU.
struct Rate {
    std::string hardware; ///< As the points have it ("gb200"), whatever the case; empty: every GPU without a rate of its own.
    double value = 0.0;

    friend bool operator==(const Rate&, const Rate&) = default;
};

struct Rates {
    std::vector<Rate> prices; ///< US dollars for one GPU-hour.
    std::vector<Rate> powers; ///< Watts of one GPU.

    [[nodiscard]] bool isEmpty() const { return prices.empty() && powers.empty(); }
    friend bool operator==(const Rates&, const Rates&) = default;
};

/// "gb200=3.5, h100=2 4": kinds of GPUs with their numbers, and one number for all others; apart by blanks or commas. `what` ("price") is
/// for the message. Numbers are above 0.
[[nodiscard]] Result<std::vector<Rate>> parseRates(std::string_view text, std::string_view what);
[[nodiscard]] std::string written(const std::vector<Rate>& rates); ///< What `parseRates` reads.

/// The rate of a kind of GPU; null when there is none.
[[nodiscard]] const Rate* rateOf(const std::vector<Rate>& rates, const std::optional<std::string>& hardware);

/// Gives points their price and power, with their origin. What was measured, or what the user said of a point itself, stays.
void applyRates(std::vector<results::Point>& points, const Rates& rates);

/// The user said that number of the point: by kind of GPU, or of the point itself.
[[nodiscard]] bool isGivenByUser(const results::Point& point, std::string_view field);

/// {"prices": {"gb200": 3.5, "": 4}, "powers": {...}}
[[nodiscard]] base::json::Value toJson(const Rates& rates);
[[nodiscard]] Result<Rates> ratesFromJson(const base::json::Value& value);

} // namespace wb::analysis
