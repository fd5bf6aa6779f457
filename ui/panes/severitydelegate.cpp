#include "ui/panes/severitydelegate.h"

#include "ui/theme/severity.h"

namespace wb::ui {

SeverityDelegate::SeverityDelegate(int severityRole, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_severityRole(severityRole)
{
}

void SeverityDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant severity = index.data(m_severityRole);
    if (!severity.isValid())
        return;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = severityIcon(static_cast<syntax::Severity>(severity.toInt()), option->palette);
}

} // namespace wb::ui
