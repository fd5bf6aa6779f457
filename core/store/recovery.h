// Drafts: texts that were not saved yet, kept in a private folder so that a crash or a kill loses at most the last seconds. Nothing is
// written beside the user's own files.
//
// Layout: <folder>/<instance>/<key>.json, one folder for each running program with a file "lock" that it holds locked while it lives. A
// folder whose lock can be taken belongs to a program that ended without closing: its drafts are orphans, and are offered.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wb::store {

/// A text that was not saved.
struct Draft {
    std::string path;      ///< Of the file it belongs to, absolute; empty: it never had one.
    std::string title;     ///< "a.yaml", "Untitled 2"
    std::string text;      ///< UTF-8, as in the editor.
    std::string base;      ///< SHA-256 of the file's text when it was opened or saved last; empty: it never had one.
    std::int64_t time = 0; ///< Seconds since 1970 of the last change; the caller's clock.

    friend bool operator==(const Draft&, const Draft&) = default;
};

/// A draft that a program left behind.
struct Orphan {
    std::string file; ///< Where it is kept; for `discard`.
    Draft draft;
};

/// The drafts of this program. One object a process; may be used from any one thread at a time.
class Recovery
{
public:
    /// Makes the folder (readable by its owner only) and a place of its own in it.
    [[nodiscard]] static Result<Recovery> open(const std::string& folder);
    Recovery(Recovery&&) noexcept;
    Recovery& operator=(Recovery&&) noexcept;
    /// Removes this program's place: closing in order leaves nothing, unless drafts are still kept.
    ~Recovery();

    /// Replaces the draft of that key (letters, digits, "-"), whole or not at all, on the disk when it returns.
    [[nodiscard]] Result<void> keep(std::string_view key, const Draft& draft);
    /// The text was saved or given up.
    void drop(std::string_view key);

    /// Drafts of programs that are gone, the latest first. A file that cannot be read as a draft is left alone and told in `warnings`.
    struct Found {
        std::vector<Orphan> orphans;
        std::vector<std::string> warnings;
    };
    [[nodiscard]] Found orphans() const;
    /// Removes an orphan, and its folder when it was the last.
    void discard(const Orphan& orphan);

private:
    struct Private;
    explicit Recovery(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace wb::store
