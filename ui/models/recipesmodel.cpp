#include "ui/models/recipesmodel.h"

#include "core/base/text.h"
#include "core/syntax/diagnostic.h"
#include "ui/models/text.h"

#include <algorithm>
#include <array>

namespace wb::ui {

struct RecipesModel::Node {
    std::string name;
    std::string path; ///< Relative to the folder.
    bool isFolder = false;
    std::string why; ///< Why it could not be looked at; empty: it could.
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children; ///< Folders first, then by name.

    /// Folders before files; then by name.
    [[nodiscard]] static bool before(const Node& a, const Node& b) { return a.isFolder != b.isFolder ? a.isFolder : a.name < b.name; }

    [[nodiscard]] int row() const
    {
        const auto& siblings = parent->children;
        const auto found = std::find_if(siblings.begin(), siblings.end(), [this](const auto& sibling) { return sibling.get() == this; });
        return static_cast<int>(found - siblings.begin());
    }

    Node& add(std::string childName, bool folder)
    {
        auto child = std::make_unique<Node>();
        child->path = path.empty() ? childName : path + '/' + childName;
        child->name = std::move(childName);
        child->isFolder = folder;
        child->parent = this;
        const auto at =
            std::lower_bound(children.begin(), children.end(), child, [](const auto& a, const auto& b) { return before(*a, *b); });
        return **children.insert(at, std::move(child));
    }

    [[nodiscard]] Node* child(std::string_view childName, bool folder) const
    {
        for (const auto& each : children) {
            if (each->isFolder == folder && each->name == childName)
                return each.get();
        }
        return nullptr;
    }

    /// `isFile`: of the last part.
    Node* addPath(std::string_view relative, bool isFile = true)
    {
        Node* at = this;
        const std::vector<std::string_view> parts = base::splitAt(relative, '/');
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool folder = !isFile || i + 1 < parts.size();
            Node* next = at->child(parts[i], folder);
            at = next ? next : &at->add(std::string(parts[i]), folder);
        }
        return at;
    }
};

namespace {

struct ColumnInfo {
    const char* title;
    const char* tip;
};

constexpr std::array<ColumnInfo, RecipesModel::ColumnCount> columns{{
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Recipe"), QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "File, below its folders")},
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Jobs"), QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Jobs that the recipe stands for")},
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Verdict"), QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "What a check of the file says")},
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Engine"), QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Engine of the first valid job")},
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Topology"),
     QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Workers of the first valid job: 4P1D is four for prefill and one for decode")},
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "GPU"), QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "GPU type of the first valid job")},
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Model"),
     QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Model path or alias of the first valid job")},
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Alike"),
     QT_TRANSLATE_NOOP("wb::ui::RecipesModel",
                       "Recipes of one engine that share at least four fifths of what they write: the number of the "
                       "group and how many files it has")},
    {QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Schema"),
     QT_TRANSLATE_NOOP("wb::ui::RecipesModel", "Version of the recipe language that the file is written in")},
}};

QString stateText(const RecipeSummary& summary)
{
    if (!summary.unreadable.empty())
        return RecipesModel::tr("unreadable");
    if (!summary.isRecipe)
        return RecipesModel::tr("not a recipe");
    if (summary.errors > 0)
        return RecipesModel::tr("%n error(s)", nullptr, static_cast<int>(summary.errors));
    if (summary.warnings > 0)
        return RecipesModel::tr("%n warning(s)", nullptr, static_cast<int>(summary.warnings));
    return RecipesModel::tr("valid");
}

QString wordOrDash(const std::string& word)
{
    return word.empty() ? dash() : text(word);
}

} // namespace

RecipesModel::RecipesModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_root(std::make_unique<Node>())
{
    m_root->isFolder = true;
}

RecipesModel::~RecipesModel() = default;

void RecipesModel::setListing(const FolderListing& listing)
{
    Node fresh;
    fresh.isFolder = true;
    for (const std::string& file : listing.files)
        fresh.addPath(file);
    for (const Unreadable& each : listing.unreadable) {
        if (!each.path.empty())
            fresh.addPath(each.path, each.path.ends_with(".yaml") || each.path.ends_with(".yml"))->why = each.why;
    }
    if (listing.root != m_folder) {
        beginResetModel();
        m_folder = listing.root;
        m_summaries.reset();
        m_root->children = std::move(fresh.children);
        for (const auto& child : m_root->children)
            child->parent = m_root.get();
        endResetModel();
        return;
    }
    merge(*m_root, fresh);
}

void RecipesModel::merge(Node& into, Node& from)
{
    const QModelIndex at = indexOf(into, 0);
    for (std::size_t i = into.children.size(); i > 0; --i) {
        const Node& child = *into.children[i - 1];
        if (from.child(child.name, child.isFolder))
            continue;
        beginRemoveRows(at, static_cast<int>(i) - 1, static_cast<int>(i) - 1);
        into.children.erase(into.children.begin() + static_cast<std::ptrdiff_t>(i) - 1);
        endRemoveRows();
    }
    for (std::size_t i = 0; i < from.children.size(); ++i) {
        Node& wanted = *from.children[i];
        // Both lists are sorted alike and `into` holds nothing that is not wanted, so a difference is an insertion.
        if (i < into.children.size() && into.children[i]->name == wanted.name && into.children[i]->isFolder == wanted.isFolder) {
            if (into.children[i]->why != wanted.why) {
                into.children[i]->why = wanted.why;
                Q_EMIT dataChanged(index(static_cast<int>(i), 0, at), index(static_cast<int>(i), ColumnCount - 1, at));
            }
            merge(*into.children[i], wanted);
            continue;
        }
        beginInsertRows(at, static_cast<int>(i), static_cast<int>(i));
        from.children[i]->parent = &into;
        into.children.insert(into.children.begin() + static_cast<std::ptrdiff_t>(i), std::move(from.children[i]));
        endInsertRows();
        from.children[i] = std::make_unique<Node>();
    }
}

void RecipesModel::setSummaries(std::shared_ptr<const RecipeSummaries> summaries)
{
    m_summaries = std::move(summaries);
    announceSummaries(*m_root);
}

void RecipesModel::announceSummaries(const Node& node)
{
    if (node.children.empty())
        return;
    const QModelIndex at = indexOf(node, 0);
    Q_EMIT dataChanged(index(0, 0, at), index(static_cast<int>(node.children.size()) - 1, ColumnCount - 1, at));
    for (const auto& child : node.children)
        announceSummaries(*child);
}

const RecipesModel::Node& RecipesModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? *static_cast<const Node*>(index.constInternalPointer()) : *m_root;
}

QModelIndex RecipesModel::indexOf(const Node& node, int column) const
{
    return &node == m_root.get() ? QModelIndex() : createIndex(node.row(), column, &node);
}

QModelIndex RecipesModel::indexOf(const QString& absolutePath) const
{
    if (m_folder.isEmpty() || !absolutePath.startsWith(m_folder + QLatin1Char('/')))
        return {};
    const std::string relative = absolutePath.mid(m_folder.size() + 1).toStdString();
    const std::vector<std::string_view> parts = base::splitAt(relative, '/');
    const Node* at = m_root.get();
    for (std::size_t i = 0; i < parts.size() && at; ++i)
        at = at->child(parts[i], i + 1 < parts.size());
    return at && at != m_root.get() ? indexOf(*at, 0) : QModelIndex();
}

QModelIndex RecipesModel::index(int row, int column, const QModelIndex& parent) const
{
    const Node& node = nodeOf(parent);
    if (row < 0 || column < 0 || column >= ColumnCount || static_cast<std::size_t>(row) >= node.children.size() || parent.column() > 0)
        return {};
    return createIndex(row, column, node.children[static_cast<std::size_t>(row)].get());
}

QModelIndex RecipesModel::parent(const QModelIndex& child) const
{
    return child.isValid() ? indexOf(*nodeOf(child).parent, 0) : QModelIndex();
}

int RecipesModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent).children.size());
}

int RecipesModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

const RecipeSummary* RecipesModel::summaryOf(const Node& node) const
{
    if (!m_summaries || node.isFolder)
        return nullptr;
    const auto found = m_summaries->find(node.path);
    return found == m_summaries->end() ? nullptr : &found->second;
}

const RecipeSummary* RecipesModel::summaryAt(const QModelIndex& index) const
{
    return summaryOf(nodeOf(index));
}

QVariant RecipesModel::display(const Node& node, int column) const
{
    if (column == NameColumn)
        return text(node.name);
    if (!node.why.empty())
        return column == StateColumn ? QVariant(tr("unreadable")) : QVariant(dash());
    if (node.isFolder)
        return {};
    const RecipeSummary* summary = summaryOf(node);
    if (!summary)
        return dash();
    switch (column) {
    case JobsColumn:
        return summary->isRecipe ? QString::number(summary->jobs) : dash();
    case StateColumn:
        return stateText(*summary);
    case EngineColumn:
        return wordOrDash(summary->engine);
    case TopologyColumn:
        return wordOrDash(summary->topology);
    case GpuColumn:
        return wordOrDash(summary->gpu);
    case ModelColumn:
        return wordOrDash(summary->model);
    case AlikeColumn:
        return summary->group == 0 ? QString() : tr("%1 (%2)").arg(summary->group).arg(summary->groupSize);
    case SchemaColumn:
        return summary->isRecipe ? QString::number(summary->schema) : dash();
    default:
        return {};
    }
}

QVariant RecipesModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const Node& node = nodeOf(index);
    const RecipeSummary* summary = summaryOf(node);
    switch (role) {
    case Qt::DisplayRole:
        return display(node, index.column());
    case SortRole:
        if (index.column() == NameColumn)
            return QString(QLatin1Char(node.isFolder ? '0' : '1')) + text(node.name);
        if (index.column() == JobsColumn && summary)
            return static_cast<qulonglong>(summary->jobs);
        if (index.column() == AlikeColumn)
            return summary && summary->group > 0 ? QVariant(static_cast<qulonglong>(summary->group)) : QVariant();
        return display(node, index.column());
    case PathRole:
        return node.isFolder ? QString() : m_folder + QLatin1Char('/') + text(node.path);
    case IsFolderRole:
        return node.isFolder;
    case RelativeRole:
        return text(node.path);
    case SeverityRole:
        if (!node.why.empty())
            return static_cast<int>(syntax::Severity::Error);
        if (!summary)
            return {};
        if (summary->errors > 0 || !summary->unreadable.empty())
            return static_cast<int>(syntax::Severity::Error);
        return summary->warnings > 0 ? QVariant(static_cast<int>(syntax::Severity::Warning)) : QVariant();
    case Qt::ToolTipRole:
        if (!node.why.empty())
            return text(node.why);
        if (index.column() == AlikeColumn && summary && summary->group > 0)
            return tr("%1 files are nearly the same; the menu of the row shows, compares or consolidates them.").arg(summary->groupSize);
        if (summary && !summary->unreadable.empty())
            return text(summary->unreadable);
        if (!node.isFolder && !summary && index.column() != NameColumn)
            return tr("Not known: the file is not checked yet.");
        return text(node.path);
    case Qt::TextAlignmentRole:
        return index.column() == JobsColumn ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant RecipesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const ColumnInfo& column = columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return tr(column.title);
    return role == Qt::ToolTipRole ? QVariant(tr(column.tip)) : QVariant();
}

} // namespace wb::ui
