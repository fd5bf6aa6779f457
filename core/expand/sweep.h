// Sweeps: the Cartesian product of parameters, filled into the placeholders of a document.
#pragma once

#include "core/expand/variant.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace wb::expand {

/// Sweeps the variants of one file. A sweep that many of them share (it stands in "base") is read once, what they share of the document is
/// looked through once, and what is found at one place is told once, however many variants have it. All variants must outlive it.
class Sweeper
{
public:
    /// Problems go to `diagnostics`; of one kind no more than a person reads.
    Sweeper(const schema::Pack& pack, std::vector<syntax::Diagnostic>& diagnostics);
    ~Sweeper();
    Sweeper(const Sweeper&) = delete;
    Sweeper& operator=(const Sweeper&) = delete;

    /// The variants of one document that has a `sweep` mapping; the document itself when it has none. The value of a placeholder that is
    /// the whole text keeps its type, unless the key takes text only; elsewhere it becomes the text that stands in the file. Where srtctl
    /// would fill in something else, a diagnostic says both. Names are those that srtctl gives. `limit`: more jobs than that are a problem.
    /// `room` is how many values of their own (see Options) the variants may still hold; what is taken of it is taken off.
    [[nodiscard]] std::vector<Variant> swept(const Variant& variant, std::size_t limit, std::size_t& room);

    /// Says in the last problem of each kind how many more there are; when all variants are done.
    void countTheRest();

private:
    struct Shared;
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace wb::expand
