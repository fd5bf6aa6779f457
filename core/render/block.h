// A block of the recipe read as words of a command: its values as srtctl's Python prints them, or what stands for them when they are
// absent.
#pragma once

#include "core/recipe/job.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace wb::render {

class Block
{
public:
    explicit Block(syntax::ValuePtr block)
        : m_block(std::move(block))
    {
    }

    /// Null where it is absent or null.
    [[nodiscard]] syntax::ValuePtr find(std::string_view key) const;
    /// As written; the text when it is absent or null.
    [[nodiscard]] std::string textOr(std::string_view key, std::string_view otherwise) const;
    /// As `textOr`, where 0 and the empty text count as absent.
    [[nodiscard]] std::string filledOr(std::string_view key, std::string_view otherwise) const;
    [[nodiscard]] std::string switchAt(std::string_view key) const; ///< "true", "false"
    [[nodiscard]] std::string listOr(std::string_view key, std::string_view separator, std::string_view otherwise) const;

private:
    syntax::ValuePtr m_block;
};

/// How the benchmark "sa-bench" loads the server, its defaults filled in.
struct SaBenchLoad {
    std::string requestRate; ///< Requests/s; "inf": all at once.
    std::string rangeRatio;  ///< Shortest prompt and answer as a share of ISL and OSL.
    std::string prompts;     ///< For each client.
    std::string warmup;      ///< As prompts.
};
[[nodiscard]] SaBenchLoad saBenchLoad(const Block& benchmark);

/// Largest message of NATS in bytes; nothing when the recipe leaves it to NATS, or when 64 bits do not hold it (`isPayloadTooLarge`).
[[nodiscard]] std::optional<std::int64_t> natsPayloadBytes(const recipe::Job& job);
[[nodiscard]] bool isPayloadTooLarge(const recipe::Job& job);

} // namespace wb::render
