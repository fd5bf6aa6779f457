#include "ui/panes/cellsdelegate.h"

#include "ui/models/cellsmodel.h"
#include "ui/theme/colours.h"
#include "ui/theme/severity.h"

namespace wb::ui {

namespace {

QColor colourOf(CellLook look, const QPalette& palette)
{
    const QColor green(0x00, 0x9e, 0x73);
    switch (look) {
    case CellLook::Good:
        return readable(green, palette.color(QPalette::Base));
    case CellLook::Bad:
        return severityColor(syntax::Severity::Error, palette);
    case CellLook::Warning:
        return severityColor(syntax::Severity::Warning, palette);
    case CellLook::Unknown:
    case CellLook::Quiet:
        return quietText(palette);
    case CellLook::Plain:
        break;
    }
    return palette.color(QPalette::Text);
}

} // namespace

QWidget* CellsDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    editor->setAccessibleName(tr("New value"));
    return editor;
}

void CellsDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto look = static_cast<CellLook>(index.data(CellsModel::LookRole).toInt());
    if (look != CellLook::Plain)
        option->palette.setColor(QPalette::Text, colourOf(look, option->palette));
    if (look == CellLook::Unknown)
        option->font.setItalic(true);
}

} // namespace wb::ui
