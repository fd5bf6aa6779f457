#pragma once

#include <QStyledItemDelegate>

namespace wb::ui {

/// A cell of a CellsModel in the colour of its look; the words alone say it, too. Edits as text.
class CellsDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace wb::ui
