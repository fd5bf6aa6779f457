#include "ui/panes/severitydelegate.h"

#include "ui/theme/severity.h"

namespace wb::ui {

SeverityDelegate::SeverityDelegate(int severityRole, QObject* parent, std::optional<Qt::TextElideMode> elide)
    : QStyledItemDelegate(parent)
    , m_severityRole(severityRole)
    , m_elide(elide)
{
}

void SeverityDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = m_elide.value_or(option->textElideMode);
    const QVariant severity = index.data(m_severityRole);
    if (!severity.isValid())
        return;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = severityIcon(static_cast<syntax::Severity>(severity.toInt()), option->palette);
}

} // namespace wb::ui
