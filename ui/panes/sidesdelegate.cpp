#include "ui/panes/sidesdelegate.h"

#include "ui/theme/colours.h"
#include "ui/theme/origins.h"

#include <QLineEdit>

namespace wb::ui {

SidesDelegate::SidesDelegate(int fromRole, int absentRole, int standsOutRole, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_fromRole(fromRole)
    , m_absentRole(absentRole)
    , m_standsOutRole(standsOutRole)
{
}

QWidget* SidesDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    editor->setAccessibleName(tr("New value"));
    return editor;
}

void SidesDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    // A check that comes while somebody types must not take it away.
    if (const auto* line = qobject_cast<QLineEdit*>(editor); !line || !line->isModified())
        QStyledItemDelegate::setEditorData(editor, index);
}

void SidesDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QString from = index.data(m_fromRole).toString();
    if (!from.isEmpty()) {
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = originIcon(from, option->palette);
        option->decorationSize = {12, 12};
    }
    const bool isAbsent = m_absentRole >= 0 && index.data(m_absentRole).toBool();
    if (isAbsent || from == QLatin1String("default"))
        option->palette.setColor(QPalette::Text, quietText(option->palette));
    if (m_standsOutRole >= 0 && index.data(m_standsOutRole).toBool())
        option->font.setBold(true);
}

} // namespace wb::ui
