// Ids are types of their own, so that a run's id cannot be handed over as a point's.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <utility>

namespace wb {

/// A text id of one kind of thing; the tag is any type that names the kind.
template <typename Tag>
struct Id {
    std::string text;

    [[nodiscard]] bool isEmpty() const { return text.empty(); }

    friend auto operator<=>(const Id&, const Id&) = default;
    friend bool operator==(const Id&, const Id&) = default;
};

using RunId = Id<struct RunTag>;
using PointId = Id<struct PointTag>;
using JobId = Id<struct JobTag>;

} // namespace wb

template <typename Tag>
struct std::hash<wb::Id<Tag>> {
    std::size_t operator()(const wb::Id<Tag>& id) const noexcept { return std::hash<std::string>{}(id.text); }
};
