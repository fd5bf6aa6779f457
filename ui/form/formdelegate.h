#pragma once

#include <QStyledItemDelegate>

namespace wb::ui {

/// The editors of the form, one for each kind of value: a list to choose from where the language has choices, a line for all else. What is
/// not set stands back, what the language does not know is slanted.
class FormDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit FormDelegate(QObject* parent = nullptr);

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace wb::ui
