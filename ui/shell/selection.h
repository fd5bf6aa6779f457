// The one selection of the window: document, variant, job, point. Panes show it and change it; they do not know each other.
#pragma once

#include "core/base/ids.h"
#include "ui/shell/documents.h"

#include <QObject>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wb::ui {

class Selection final : public QObject
{
    Q_OBJECT

public:
    Selection(Documents& documents, Log& log, QObject* parent = nullptr);

    /// The latest check of the current document; null when nothing is open or it is not checked yet.
    [[nodiscard]] CheckedPtr checked() const;
    /// Index into `checked()->variants`. There is one whenever the document has variants: the first, until another is chosen.
    [[nodiscard]] std::optional<std::size_t> variant() const;
    [[nodiscard]] const check::CheckedVariant* checkedVariant() const; ///< Null when there is none.
    [[nodiscard]] const PointId& point() const { return m_point; }     ///< Empty: none.
    /// Points that were chosen together, in a table or on the chart; empty: no more than `point`.
    [[nodiscard]] const std::vector<PointId>& points() const { return m_points; }
    [[nodiscard]] const std::string& job() const { return m_job; } ///< Id in the job history; empty: none.

    /// Indices of the jobs that are marked for what is done with several of them (dry run, submit, explode): those, or the one selected.
    [[nodiscard]] std::vector<std::size_t> chosen() const;

    /// Stable key of the variant that was chosen in a document; empty: none was.
    [[nodiscard]] std::string key(DocumentId id) const;
    /// Stable keys of the variants of a check, see `variantKeys`; made once for each. Good until it is asked about another one.
    [[nodiscard]] const std::vector<std::string>& keysOf(const CheckedPtr& checked) const;
    void setVariant(std::size_t index);
    void setChosen(std::vector<std::size_t> indices); ///< Forgotten with the next check of other jobs.
    void setPoint(const PointId& id);
    void setPoints(std::vector<PointId> ids);
    void setJob(const std::string& id);

Q_SIGNALS:
    void variantChanged(); ///< Another variant, or the same one after a check.
    void chosenChanged();
    void pointChanged();
    void pointsChanged();
    void jobChanged();

private:
    void followCheck(DocumentId id);
    void followChoice(const Document& document);

    Documents& m_documents;
    Log& m_log;
    /// The variant that was chosen in a document: by its key, and by its place where the key was changed since.
    struct Choice {
        std::string key;
        std::size_t index = 0;
    };

    std::map<DocumentId, Choice> m_choices;
    mutable CheckedPtr m_keysFor; ///< What `m_keys` were made of.
    mutable std::vector<std::string> m_keys;
    std::vector<std::size_t> m_chosen;
    PointId m_point;
    std::vector<PointId> m_points;
    std::string m_job;
};

} // namespace wb::ui
