// The one selection of the window: document, variant, point. Panes show it and change it; they do not know each other.
#pragma once

#include "core/base/ids.h"
#include "ui/shell/documents.h"

#include <QObject>

#include <map>
#include <optional>
#include <string>

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

    void setVariant(std::size_t index);
    void setPoint(const PointId& id);

Q_SIGNALS:
    void variantChanged(); ///< Another variant, or the same one after a check.
    void pointChanged();

private:
    void followCheck(DocumentId id);
    [[nodiscard]] static std::optional<std::size_t> named(const check::Checked& checked, const std::string& wanted);

    Documents& m_documents;
    Log& m_log;
    std::map<DocumentId, std::string> m_keys; ///< Stable key of the variant chosen in each document.
    PointId m_point;
};

} // namespace wb::ui
