#pragma once

#include "core/check/summary.h"

#include <QAbstractItemModel>
#include <QString>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wb::ui {

/// A folder or file that could not be looked at.
struct Unreadable {
    std::string path; ///< Relative; empty: the root itself.
    std::string why;  ///< One sentence.

    friend bool operator==(const Unreadable&, const Unreadable&) = default;
};

/// What is below a folder: paths relative to it, with '/'.
struct FolderListing {
    QString root;
    std::vector<std::string> files; ///< Sorted; every `*.yaml` and `*.yml`.
    std::vector<Unreadable> unreadable = {};
    bool truncated = false; ///< There was more than is listed.

    friend bool operator==(const FolderListing&, const FolderListing&) = default;
};

/// What a check of one file of the folder said.
struct RecipeSummary : check::Summary {
    std::string unreadable;    ///< Why the file could not be read; empty: it could.
    std::size_t group = 0;     ///< Recipes that are nearly the same have the same one; 0: there is none.
    std::size_t groupSize = 0; ///< Files in the group, this one too.

    friend bool operator==(const RecipeSummary&, const RecipeSummary&) = default;
};

using RecipeSummaries = std::map<std::string, RecipeSummary, std::less<>>;

/// The recipes of the open folder as a tree.
class RecipesModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column {
        NameColumn,
        JobsColumn,
        StateColumn,
        EngineColumn,
        TopologyColumn,
        GpuColumn,
        ModelColumn,
        AlikeColumn,
        SchemaColumn,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole,
        PathRole,     ///< Absolute path, QString; empty for a folder.
        SeverityRole, ///< syntax::Severity as int of the worst problem; invalid: none, or not checked yet.
        IsFolderRole,
        RelativeRole, ///< Path below the folder, QString.
    };

    explicit RecipesModel(QObject* parent = nullptr);
    ~RecipesModel() override;

    void setListing(const FolderListing& listing);
    void setSummaries(std::shared_ptr<const RecipeSummaries> summaries); ///< Null: not checked yet.

    [[nodiscard]] QModelIndex indexOf(const QString& absolutePath) const;
    /// Of the file at the index; null: a folder, or not checked yet.
    [[nodiscard]] const RecipeSummary* summaryAt(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node;
    [[nodiscard]] const Node& nodeOf(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const Node& node, int column) const;
    [[nodiscard]] const RecipeSummary* summaryOf(const Node& node) const;
    [[nodiscard]] QVariant display(const Node& node, int column) const;
    void merge(Node& into, Node& from);
    void announceSummaries(const Node& node);

    QString m_folder;
    std::unique_ptr<Node> m_root;
    std::shared_ptr<const RecipeSummaries> m_summaries;
};

} // namespace wb::ui
