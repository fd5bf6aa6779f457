#pragma once

#include <QStyledItemDelegate>

namespace wb::ui {

/// A resolved value: a mark in the colour of its origin, what stands out from the first job in bold, what is not set or a default stands
/// back. Edits as text.
class SidesDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// A role of -1 is not asked for.
    SidesDelegate(int fromRole, int absentRole, int standsOutRole, QObject* parent = nullptr);

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_fromRole;
    int m_absentRole;
    int m_standsOutRole;
};

} // namespace wb::ui
