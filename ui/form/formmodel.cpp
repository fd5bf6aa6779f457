#include "ui/form/formmodel.h"

#include "core/assist/valueedit.h"
#include "core/base/text.h"
#include "core/syntax/rewrite.h"
#include "ui/models/text.h"

#include <algorithm>
#include <array>

namespace wb::ui {

using schema::Field;
using schema::Record;
using schema::Type;
using schema::TypeKind;
using syntax::Member;
using syntax::ValuePtr;

struct FormModel::Node {
    std::string key;
    std::string path; ///< Dotted, for people and for the filter.
    const Field* field = nullptr;
    const Type* type = nullptr; ///< Of the value; null: not known.
    bool isUnknown = false;
    bool isRecord = false; ///< It has fields of its own and no value to type.
    ValuePtr value;        ///< Null: not set.
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;

    [[nodiscard]] int row() const
    {
        const auto& siblings = parent->children;
        const auto found = std::find_if(siblings.begin(), siblings.end(), [this](const auto& each) { return each.get() == this; });
        return static_cast<int>(found - siblings.begin());
    }
};

struct FormModel::Builder {
    const FormSource& source;

    static constexpr int deepest = 12; ///< Records of real languages nest five deep.

    void fill(Node& node, const Record& record, int depth) const
    {
        for (const Field& field : record.fields) {
            const ValuePtr value = node.value ? node.value->find(field.key) : nullptr;
            const bool isHidden = source.onlySet || (field.expert && !source.isExpert) || !field.inert.empty() || !field.deprecated.empty();
            if (!value && isHidden)
                continue;
            Node& child = add(node, field.key, value);
            child.field = &field;
            child.type = &field.type;
            descend(child, field.type, value, depth);
        }
        for (const Member& member : node.value&& node.value->isMapping() ? node.value->members : std::vector<Member>()) {
            if (record.find(member.key))
                continue;
            Node& child = add(node, member.key, member.value);
            child.isUnknown = !node.parent ? !isOfForm(member.key) : true;
        }
    }

    /// The type itself, or the alternative of a union, that is a mapping of the language.
    static const Type* recordType(const Type& type)
    {
        const auto isRecord = [](const Type& each) { return each.kind == TypeKind::Record || each.kind == TypeKind::Variant; };
        if (isRecord(type))
            return &type;
        const auto found = std::find_if(type.inner.begin(), type.inner.end(), isRecord);
        return type.kind == TypeKind::Union && found != type.inner.end() ? &*found : nullptr;
    }

    [[nodiscard]] bool isOfForm(const std::string& key) const
    {
        const auto& forms = source.pack->forms();
        return std::any_of(forms.begin(), forms.end(), [&](const schema::FormKey& form) { return form.matches(key); });
    }

    void descend(Node& node, const Type& type, const ValuePtr& value, int depth) const
    {
        if (depth > deepest)
            return;
        const Type* own = recordType(type);
        if (own && (!value || value->isMapping() || value->isNull())) {
            std::string choice;
            if (own->kind == TypeKind::Variant) {
                const ValuePtr word = value ? value->find(own->selector) : nullptr;
                choice = word && word->isString() ? word->text : own->selectorDefault;
            }
            if (const Record* record = source.pack->recordFor(*own, choice)) {
                node.isRecord = true;
                fill(node, *record, depth + 1);
                return;
            }
        }
        if (!value || !value->isMapping())
            return;
        // A free mapping: environment variables, engine flags.
        const Type* inner = type.kind == TypeKind::Map && !type.inner.empty() ? &type.inner.front() : nullptr;
        node.isRecord = true;
        for (const Member& member : value->members) {
            Node& child = add(node, member.key, member.value);
            child.type = inner;
            if (inner)
                descend(child, *inner, member.value, depth + 1);
        }
    }

    static Node& add(Node& parent, const std::string& key, ValuePtr value)
    {
        auto node = std::make_unique<Node>();
        node->key = key;
        node->path = parent.path.empty() ? key : parent.path + '.' + key;
        node->value = std::move(value);
        node->parent = &parent;
        parent.children.push_back(std::move(node));
        return *parent.children.back();
    }
};

namespace {

constexpr std::array headers{
    QT_TRANSLATE_NOOP("wb::ui::FormModel", "Key"),
    QT_TRANSLATE_NOOP("wb::ui::FormModel", "Value"),
    QT_TRANSLATE_NOOP("wb::ui::FormModel", "Default"),
};
static_assert(headers.size() == FormModel::ColumnCount);

QString defaultText(const Field& field)
{
    if (field.required)
        return FormModel::tr("required");
    if (!field.defaultValue || field.defaultValue->isNull())
        return {};
    const std::string* words = field.defaultValue->string();
    return text(words ? *words : base::json::write(*field.defaultValue));
}

QString docOf(const Field& field, const Type* type)
{
    QString html = QStringLiteral("<b>%1</b>").arg(text(field.key).toHtmlEscaped());
    if (type)
        html += QStringLiteral(" &nbsp;%1").arg(text(schema::inWords(*type)).toHtmlEscaped());
    if (!field.unit.empty())
        html += QStringLiteral(", %1").arg(text(field.unit).toHtmlEscaped());
    if (!field.doc.empty())
        html += QStringLiteral("<br/>%1").arg(text(field.doc).toHtmlEscaped());
    for (const std::string& warning : {field.inert, field.deprecated}) {
        if (!warning.empty())
            html += QStringLiteral("<br/><i>%1</i>").arg(text(warning).toHtmlEscaped());
    }
    if (!field.readBy.empty())
        html += QStringLiteral("<br/>%1").arg(
            FormModel::tr("Read when %1 is %2.").arg(text(field.readBySelector), text(base::joined(field.readBy, ", "))).toHtmlEscaped());
    for (const schema::Choice& choice : field.choices) {
        if (!choice.doc.empty())
            html += QStringLiteral("<br/>\u2022 <b>%1</b>: %2").arg(text(choice.value).toHtmlEscaped(), text(choice.doc).toHtmlEscaped());
    }
    return html;
}

} // namespace

FormModel::FormModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_root(std::make_unique<Node>())
{
}

FormModel::~FormModel() = default;

void FormModel::setSource(const FormSource& source)
{
    Node fresh;
    fresh.value = source.root;
    if (source.pack)
        Builder{source}.fill(fresh, source.pack->root(), 0);
    const bool isSamePack = source.pack == m_source.pack;
    m_source = source; // keeps the pack that the nodes point into
    if (isSamePack && takeValues(*m_root, fresh, {}))
        return;
    beginResetModel();
    m_root->children = std::move(fresh.children);
    m_root->value = source.root;
    for (const auto& child : m_root->children)
        child->parent = m_root.get();
    endResetModel();
}

/// Takes over the values of a tree of the same keys. False, and only values changed, when the keys are others.
bool FormModel::takeValues(Node& into, Node& from, const QModelIndex& at)
{
    const bool isSame = std::equal(into.children.begin(), into.children.end(), from.children.begin(), from.children.end(),
                                   [](const auto& a, const auto& b) { return a->key == b->key && a->isRecord == b->isRecord; });
    if (!isSame)
        return false;
    into.value = from.value;
    for (std::size_t i = 0; i < into.children.size(); ++i) {
        Node& child = *into.children[i];
        child.field = from.children[i]->field;
        child.type = from.children[i]->type;
        child.isUnknown = from.children[i]->isUnknown;
        if (!takeValues(child, *from.children[i], index(static_cast<int>(i), 0, at)))
            return false;
    }
    if (!into.children.empty())
        Q_EMIT dataChanged(index(0, 0, at), index(static_cast<int>(into.children.size()) - 1, ColumnCount - 1, at));
    return true;
}

const FormModel::Node* FormModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<const Node*>(index.constInternalPointer()) : m_root.get();
}

std::vector<std::string> FormModel::keysOf(const QModelIndex& index) const
{
    std::vector<std::string> keys;
    for (const Node* node = nodeOf(index); node->parent; node = node->parent)
        keys.insert(keys.begin(), node->key);
    return keys;
}

const Field* FormModel::fieldOf(const QModelIndex& index) const
{
    return nodeOf(index)->field;
}

const Type* FormModel::typeOf(const QModelIndex& index) const
{
    return nodeOf(index)->type;
}

ValuePtr FormModel::valueOf(const QModelIndex& index) const
{
    return nodeOf(index)->value;
}

QModelIndex FormModel::indexOf(const QString& path) const
{
    const std::string wanted = path.toStdString();
    QModelIndex at;
    for (bool isDeeper = true; isDeeper;) {
        isDeeper = false;
        for (const auto& child : nodeOf(at)->children) {
            const bool isIt = child->path == wanted;
            if (!isIt && !wanted.starts_with(child->path + '.'))
                continue;
            at = createIndex(child->row(), 0, child.get());
            if (isIt)
                return at;
            isDeeper = true;
            break;
        }
    }
    return {};
}

QModelIndex FormModel::index(int row, int column, const QModelIndex& parent) const
{
    const Node& node = *nodeOf(parent);
    if (row < 0 || column < 0 || column >= ColumnCount || parent.column() > 0 || static_cast<std::size_t>(row) >= node.children.size())
        return {};
    return createIndex(row, column, node.children[static_cast<std::size_t>(row)].get());
}

QModelIndex FormModel::parent(const QModelIndex& child) const
{
    const Node* parent = child.isValid() ? nodeOf(child)->parent : nullptr;
    return !parent || !parent->parent ? QModelIndex() : createIndex(parent->row(), 0, parent);
}

int FormModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent)->children.size());
}

int FormModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant FormModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const Node& node = *nodeOf(index);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        if (index.column() == KeyColumn)
            return text(node.key);
        if (index.column() == DefaultColumn)
            return node.field && !node.isRecord ? defaultText(*node.field) : QString();
        return node.isRecord || !node.value ? QString() : text(assist::typedOf(*node.value, node.type));
    case SortRole:
        return index.row();
    case PathRole:
        return text(node.path);
    case SetRole:
        return node.value != nullptr;
    case UnknownRole:
        return node.isUnknown;
    case ChoicesRole: {
        QStringList words;
        for (const schema::Choice& choice : node.field ? node.field->choices : std::vector<schema::Choice>())
            words += text(choice.value);
        if (node.type && node.type->kind == TypeKind::Boolean)
            words = {QStringLiteral("true"), QStringLiteral("false")};
        return words;
    }
    case OpenChoicesRole:
        return node.field && node.field->openChoices;
    case SeverityRole: {
        const auto found = m_source.problems.find(node.path);
        return found == m_source.problems.end() ? QVariant() : QVariant(static_cast<int>(found->second));
    }
    case DocRole:
        if (node.isUnknown)
            return tr("<b>%1</b><br/>The language does not know this key. It stays in the text as it is.")
                .arg(text(node.key).toHtmlEscaped());
        return node.field ? docOf(*node.field, node.type) : QStringLiteral("<b>%1</b>").arg(text(node.path).toHtmlEscaped());
    case Qt::ToolTipRole:
        return index.column() == ValueColumn && node.value && !node.isRecord
                   ? data(index, Qt::DisplayRole)
                   : QVariant(node.field ? text(node.field->doc) : text(node.path));
    default:
        return {};
    }
}

QVariant FormModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return tr(headers[static_cast<std::size_t>(section)]);
}

Qt::ItemFlags FormModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags plain = QAbstractItemModel::flags(index);
    const bool mayType = index.isValid() && index.column() == ValueColumn && !nodeOf(index)->isRecord;
    return mayType ? plain | Qt::ItemIsEditable : plain;
}

bool FormModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || index.column() != ValueColumn)
        return false;
    if (value.toString() == data(index, Qt::EditRole).toString())
        return false;
    Q_EMIT edited(index, value.toString());
    return true;
}

} // namespace wb::ui
