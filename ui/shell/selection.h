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
    [[nodiscard]] const std::string& job() const { return m_job; }     ///< Id in the job history; empty: none.

    /// Indices of the jobs that are marked for what is done with several of them (dry run, submit, explode): those, or the one selected.
    [[nodiscard]] std::vector<std::size_t> chosen() const;

    /// Stable key of the variant that was chosen in a document; empty: none was.
    [[nodiscard]] std::string key(DocumentId id) const;
    void setVariant(std::size_t index);
    void setChosen(std::vector<std::size_t> indices); ///< Forgotten with the next check of other jobs.
    void setPoint(const PointId& id);
    void setJob(const std::string& id);

Q_SIGNALS:
    void variantChanged(); ///< Another variant, or the same one after a check.
    void chosenChanged();
    void pointChanged();
    void jobChanged();

private:
    void followCheck(DocumentId id);

    Documents& m_documents;
    Log& m_log;
    std::map<DocumentId, std::string> m_keys; ///< Stable key of the variant chosen in each document.
    std::vector<std::size_t> m_chosen;
    PointId m_point;
    std::string m_job;
};

} // namespace wb::ui
