// Takes values out of a file into a point and writes down where each came from.
#pragma once

#include "core/base/json.h"
#include "core/results/point.h"

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace wb::results {

/// A statistic by the names files have for it.
struct StatisticName {
    std::string_view name;  ///< "median"
    std::string_view field; ///< "p50"
};
[[nodiscard]] std::span<const StatisticName> statisticNames();

/// Where the member of that key stands: "line 3, column 17"; empty when it cannot be told. Asked only when something is wrong there.
using PlaceOf = std::function<std::string(std::string_view key)>;

/// Reads members of one object. `prefix` goes before the keys in the provenance ("metrics."). What stands where a number belongs and is
/// none (NaN, Infinity, a text) leaves the field unknown; its origin keeps key, words and place: see `whyUnknown`.
class FieldReader
{
public:
    FieldReader(Point& point, const base::json::Value& object, std::string prefix = {}, PlaceOf placeOf = {});

    /// The first of the keys that holds a number, also one in quotes, times `factor`, into that field. True when the field was set.
    bool take(std::string_view field, std::initializer_list<std::string_view> keys, double factor = 1.0);
    /// As `take`; 0 is not a measurement (clients write it for empty lists): left out, and told once.
    bool takeMeasured(std::string_view field, std::initializer_list<std::string_view> keys, double factor = 1.0);
    /// Takes `<statistic>_<metric><suffix>` for every statistic into `<group>.<statistic>`: ("ttftMs", "ttft", "_ms").
    void takeStatistics(std::string_view group, std::string_view metric, std::string_view suffix, double factor = 1.0);
    bool takeText(std::string_view field, std::optional<std::string>& slot, std::initializer_list<std::string_view> keys);

    /// A number above 0 from which the field is worked out. Of another one the field's origin says what stood there.
    [[nodiscard]] std::optional<double> counted(std::string_view field, std::string_view key);
    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view key) const; ///< Not empty.
    [[nodiscard]] bool has(std::string_view key) const { return m_object.find(key) != nullptr; }
    /// True for true, "true", "True" and 1.
    [[nodiscard]] bool isTrue(std::string_view key) const;

private:
    bool takeOne(std::string_view field, std::string_view key, double factor, bool zeroIsAbsent); // NOLINT: private
    /// Writes down what stands there instead of a number, unless the field is known from elsewhere.
    void noteFault(std::string_view field, std::string_view key, const base::json::Value& value);
    Point& m_point;
    const base::json::Value& m_object;
    std::string m_prefix;
    PlaceOf m_placeOf;
};

/// Sets a number of a point that was worked out, with how ("output_tput_per_gpu x num_decode_gpu").
void setDerived(Point& point, std::string_view field, double value, std::string how, std::string file = {});

/// Keys of counts that no run has none of: GPUs, and requests in flight.
[[nodiscard]] std::span<const std::string_view> countsAboveZero();
/// Makes a 0 in one of them unknown (of a file, its name, or the run's metadata) and tells it: nobody counted. Prefill or decode GPUs alone
/// may be none.
void dropZeroCounts(Point& point);

/// Adds a note unless it is there.
void addNote(Point& point, std::string note);

} // namespace wb::results
