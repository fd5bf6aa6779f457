#pragma once

#include <QStyledItemDelegate>

#include <optional>

namespace wb::ui {

/// Puts the icon of a severity before the first column of rows that have one. `elide`: for texts that are told apart by their ends.
class SeverityDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    SeverityDelegate(int severityRole, QObject* parent, std::optional<Qt::TextElideMode> elide = std::nullopt);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_severityRole;
    std::optional<Qt::TextElideMode> m_elide;
};

} // namespace wb::ui
