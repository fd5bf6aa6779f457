// The recipe as a form: the records of the pack as a tree, with the values that the text has. It is made anew from pack and text after each
// check and changes nothing itself: what is typed is told, becomes an edit of the text, and comes back with the next check.
#pragma once

#include "core/check/check.h"
#include "core/schema/pack.h"

#include <QAbstractItemModel>
#include <QString>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wb::ui {

/// What the form is made from.
struct FormSource {
    std::shared_ptr<const schema::Pack> pack;                      ///< Null: there is no form.
    syntax::ValuePtr root;                                         ///< Of the section that is edited; null or no mapping: empty.
    bool isExpert = false;                                         ///< Fields for experts, too; one that is set is always shown.
    bool onlySet = false;                                          ///< Nothing but what the text has.
    std::map<std::string, syntax::Severity, std::less<>> problems; ///< Worst of each dotted path within the section.
};

class FormModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { KeyColumn, ValueColumn, DefaultColumn, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole, ///< The order of the pack.
        PathRole,                ///< Dotted path within the section, QString.
        SetRole,                 ///< The text has it, bool.
        UnknownRole,             ///< The language does not know the key, bool.
        ChoicesRole,             ///< QStringList of what it may be; empty: anything.
        OpenChoicesRole,         ///< Other words are taken, too; bool.
        SeverityRole,            ///< syntax::Severity as int; invalid: nothing is wrong.
        DocRole,                 ///< HTML about the field.
    };

    explicit FormModel(QObject* parent = nullptr);
    ~FormModel() override;

    void setSource(const FormSource& source);

    [[nodiscard]] std::vector<std::string> keysOf(const QModelIndex& index) const; ///< From the section's root.
    [[nodiscard]] const schema::Field* fieldOf(const QModelIndex& index) const;    ///< Null: an unknown or free key.
    [[nodiscard]] const schema::Type* typeOf(const QModelIndex& index) const;      ///< Of the value; null: not known.
    [[nodiscard]] syntax::ValuePtr valueOf(const QModelIndex& index) const;        ///< Null: not set.
    [[nodiscard]] QModelIndex indexOf(const QString& path) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    /// A value was typed; an empty text means that the key is to go.
    void edited(const QModelIndex& index, const QString& typed);

private:
    struct Node;
    struct Builder;

    [[nodiscard]] const Node* nodeOf(const QModelIndex& index) const;
    bool takeValues(Node& into, Node& from, const QModelIndex& at);

    FormSource m_source;
    std::unique_ptr<Node> m_root;
};

} // namespace wb::ui
