#include "ui/form/formdelegate.h"

#include "ui/form/formmodel.h"
#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

#include <QComboBox>
#include <QLineEdit>

namespace wb::ui {

FormDelegate::FormDelegate(QObject* parent)
    : QStyledItemDelegate(parent)
{
}

QWidget* FormDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const QString name = tr("Value of %1").arg(index.data(FormModel::PathRole).toString());
    const QStringList choices = index.data(FormModel::ChoicesRole).toStringList();
    if (choices.isEmpty()) {
        auto* line = new QLineEdit(parent);
        line->setFrame(false);
        line->setAccessibleName(name);
        line->setPlaceholderText(index.siblingAtColumn(FormModel::DefaultColumn).data().toString());
        return line;
    }
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->addItem(tr("(not set)"), QString());
    for (const QString& choice : choices)
        box->addItem(choice, choice);
    // A placeholder of a sweep may stand where a choice does.
    box->setEditable(index.data(FormModel::OpenChoicesRole).toBool());
    connect(box, &QComboBox::activated, this, [this, box] {
        Q_EMIT const_cast<FormDelegate*>(this)->commitData(box);
        Q_EMIT const_cast<FormDelegate*>(this)->closeEditor(box);
    });
    return box;
}

void FormDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    // A check that comes while somebody types must not take it away.
    if (const auto* line = qobject_cast<QLineEdit*>(editor); line && line->isModified())
        return;
    const QString value = index.data(Qt::EditRole).toString();
    auto* box = qobject_cast<QComboBox*>(editor);
    if (!box)
        return QStyledItemDelegate::setEditorData(editor, index);
    int at = box->findData(value);
    if (at < 0) { // what the text has and the language does not
        box->addItem(value, value);
        at = box->count() - 1;
    }
    box->setCurrentIndex(at);
}

void FormDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    if (const auto* line = qobject_cast<QLineEdit*>(editor)) {
        model->setData(index, line->text(), Qt::EditRole);
    } else if (const auto* box = qobject_cast<QComboBox*>(editor)) {
        const bool isListed = box->currentText() == box->itemText(box->currentIndex());
        model->setData(index, isListed ? box->currentData().toString() : box->currentText(), Qt::EditRole);
    }
}

void FormDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isSet = index.data(FormModel::SetRole).toBool();
    if (!isSet || index.column() == FormModel::DefaultColumn)
        option->palette.setColor(QPalette::Text, quietText(option->palette));
    if (isSet && index.column() == FormModel::KeyColumn)
        option->font.setBold(true);
    if (index.data(FormModel::UnknownRole).toBool())
        option->font.setItalic(true);
    const QVariant severity = index.data(FormModel::SeverityRole);
    if (index.column() == FormModel::ValueColumn && severity.isValid()) {
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = severityIcon(static_cast<syntax::Severity>(severity.toInt()), option->palette);
    }
}

} // namespace wb::ui
