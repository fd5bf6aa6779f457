#pragma once

#include "core/check/sidebyside.h"
#include "ui/async/latestjob.h"
#include "ui/shell/documents.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb::ui {

/// Jobs side by side: what was compared, and the values of all.
struct Compared {
    struct Side {
        QString title; ///< "a.yaml", "a.yaml: lowmem"
        QString path;  ///< Absolute; empty: not saved.
        CheckedPtr checked;
        std::size_t variant = 0;
        std::string text; ///< Its resolved recipe.
    };
    std::vector<Side> sides;
    std::vector<check::SideRow> rows; ///< Those that are the same, too.
    std::vector<Error> errors;        ///< Of what could not be taken part.
};

/// The comparison of recipes and variants that the Compare pane shows; files are read and checked on a worker.
class Comparison final : public QObject
{
    Q_OBJECT

public:
    /// What takes part: a file, of which an open text counts as it is now, or a job of a checked text.
    struct Part {
        QString path;             ///< Absolute; may be empty when `checked` is given.
        std::string variant = {}; ///< Suffix, job name or selector of one; empty: the first job. All that a glob names take part.
        CheckedPtr checked = {};  ///< Given: this one counts.
        std::optional<std::size_t> job = {}; ///< Of `checked`.
        QString title = {};                  ///< For a text without a file.
    };
    static constexpr std::size_t mostSides = 64;

    Comparison(async::Workers& workers, Documents& documents, QObject* parent = nullptr);

    [[nodiscard]] const std::shared_ptr<const Compared>& result() const { return m_result; } ///< Null: nothing was compared.
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    void compare(std::vector<Part> parts);

Q_SIGNALS:
    void changed();

private:
    static std::shared_ptr<const Compared> compared(const std::vector<Part>& parts, const check::Facts& facts, const std::stop_token& stop);

    Documents& m_documents;
    std::shared_ptr<const Compared> m_result;
    async::LatestJob<std::shared_ptr<const Compared>> m_job;
};

/// Indices of the jobs that a word behind "PATH:" means: a selector of the language, a suffix, a job name, or the key of a sweep's job.
[[nodiscard]] std::vector<std::size_t> jobsNamed(const check::Checked& checked, const std::string& wanted);

} // namespace wb::ui
