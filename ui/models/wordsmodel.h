#pragma once

#include "ui/models/rowsmodel.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace wb::ui {

/// A row of a table that only shows words.
struct WordsRow {
    std::string id;
    QStringList cells;
    std::optional<int> severity = {}; ///< syntax::Severity; nothing: nothing is wrong.
    QString tip = {};                 ///< Of all cells; empty: the cell itself.

    friend bool operator==(const WordsRow&, const WordsRow&) = default;
};

/// Rows of words below given titles: findings of a preflight, steps of a submission, lines of a log of commands.
class WordsModel final : public RowsModel<WordsRow>
{
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole,
        SeverityRole, ///< syntax::Severity as int; invalid: nothing is wrong.
    };

    explicit WordsModel(QStringList titles, QObject* parent = nullptr);

    void setWords(std::vector<WordsRow> rows); ///< Each with as many cells as there are titles.

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList m_titles;
};

} // namespace wb::ui
