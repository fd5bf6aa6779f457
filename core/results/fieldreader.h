// Takes values out of a file into a point and writes down where each came from.
#pragma once

#include "core/base/json.h"
#include "core/results/point.h"

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

/// Reads members of one object. `prefix` goes before the keys in the provenance ("metrics.").
class FieldReader {
public:
    FieldReader(Point& point, const base::json::Value& object, std::string prefix = {});

    /// The first of the keys that holds a number, also one in quotes, times `factor`, into that field. What is not finite is left out,
    /// and told. True when the field was set.
    bool take(std::string_view field, std::initializer_list<std::string_view> keys, double factor = 1.0);
    /// As `take`; 0 is not a measurement (clients write it for empty lists): left out, and told once.
    bool takeMeasured(std::string_view field, std::initializer_list<std::string_view> keys, double factor = 1.0);
    /// Takes `<statistic>_<metric><suffix>` for every statistic into `<group>.<statistic>`: ("ttftMs", "ttft", "_ms").
    void takeStatistics(std::string_view group, std::string_view metric, std::string_view suffix, double factor = 1.0);
    bool takeText(std::string_view field, std::optional<std::string>& slot, std::initializer_list<std::string_view> keys);

    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view key) const; ///< Not empty.
    [[nodiscard]] bool has(std::string_view key) const { return m_object.find(key) != nullptr; }
    /// True for true, "true", "True" and 1.
    [[nodiscard]] bool isTrue(std::string_view key) const;

private:
    bool takeOne(std::string_view field, std::string_view key, double factor, bool zeroIsAbsent); // NOLINT: private
    Point& m_point;
    const base::json::Value& m_object;
    std::string m_prefix;
};

/// Sets a number of a point that was worked out, with how ("output_tput_per_gpu x num_decode_gpu").
void setDerived(Point& point, std::string_view field, double value, std::string how, std::string file = {});

/// Adds a note unless it is there.
void addNote(Point& point, std::string note);

} // namespace wb::results
