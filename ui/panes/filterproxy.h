#pragma once

#include <QSortFilterProxyModel>

#include <functional>

namespace wb::ui {

/// Sorts by a raw-value role, with what is not known last in either order, and keeps rows that hold every word of the filter in some
/// column.
class FilterProxy final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit FilterProxy(QObject* parent = nullptr);

    void setWords(const QString& words);
    /// A further condition on a source row (given by its first index); empty: none.
    void setCondition(std::function<bool(const QModelIndex&)> condition);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList m_words;
    std::function<bool(const QModelIndex&)> m_condition;
};

} // namespace wb::ui
