// The catalogue of diagnostic codes.
//
// To add one: an enumerator here and its row in codes.cpp, at the same position (checked there). Ids are written into users' files (to
// silence a finding, in reports): they are never renamed and never reused.
#pragma once

#include <span>
#include <string_view>

namespace wb::syntax {

enum class Code {
    // 1 syntax
    EmptyDocument,
    NotUtf8,
    YamlSyntax,
    Tab,
    ConflictMarker,
    DuplicateKey,
    DuplicateAnchor,
    UnknownAlias,
    UnknownTag,
    SeveralDocuments,
    KeyNotText,
    MergeNotMap,
    TooDeep,
    BaseSixty,
    OldNumber,
    WordBoolean,
    NotAMapping,
    OtherLanguage,
    LegacyKey,
    // 2 shape
    UnknownKey,
    MissingKey,
    WrongType,
    NotNull,
    NotAChoice,
    UnusualValue,
    OutOfRange,
    Truncated,
    NumberTooLarge,
    Inert,
    NotRead,
    Deprecated,
    UnknownFlag,
    // 3 rules
    Rule,
    UnknownAliasName,
    DoesNotFit,
    PortClash,
    IdleNodes,
    NotRendered,
    // 4 expansion
    UnknownTopKey,
    BadVariant,
    ZipLength,
    ZipEmpty,
    ZipScalarList,
    ZipNull,
    ZipQuotes,
    ScalarNameInZip,
    SuffixClash,
    BadSweep,
    SweepInVariant,
    RepeatedSweepValue,
    UnknownPlaceholder,
    UnusedSweepKey,
    PlaceholderInName,
    PlaceholderInKey,
    UnquotedPlaceholder,
    RefilledPlaceholder,
    TypedPlaceholder,
    DuplicateJob,
    SameName,
    TooManyJobs,
    NoSuchSelector,
    BadSetting,
    Lockfile,
    // 5 cluster
    ClusterFile,
    // 6 the world
    Unreadable,
    Count
};

struct CodeInfo {
    Code code;
    std::string_view id;    ///< "unknown-key": stored in users' files
    std::string_view title; ///< A short noun phrase for lists.
    std::string_view help;  ///< One paragraph: what it means and what to do.
};

[[nodiscard]] const CodeInfo& info(Code code);
[[nodiscard]] std::string_view id(Code code);
[[nodiscard]] std::span<const CodeInfo> allCodes();

} // namespace wb::syntax
