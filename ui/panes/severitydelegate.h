#pragma once

#include <QStyledItemDelegate>

namespace wb::ui {

/// Puts the icon of a severity before the first column of rows that have one.
class SeverityDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    SeverityDelegate(int severityRole, QObject* parent);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_severityRole;
};

} // namespace wb::ui
