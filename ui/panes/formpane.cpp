#include "ui/panes/formpane.h"

#include "core/assist/valueedit.h"
#include "ui/form/formdelegate.h"
#include "ui/models/text.h"
#include "ui/panes/tableview.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace wb::ui {

FormPane::FormPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, FormModel::SortRole, tr("Form"), this))
    , m_sections(new QComboBox(this))
    , m_expert(new QCheckBox(tr("Expert"), this))
    , m_set(new QCheckBox(tr("Only set"), this))
    , m_note(new QLabel(this))
    , m_doc(new QLabel(this))
{
    m_view->setObjectName(QStringLiteral("formView"));
    m_view->setRootIsDecorated(true);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setSortingEnabled(false); // the order of the language
    m_view->filter().sort(-1);
    m_view->setItemDelegate(new FormDelegate(m_view));
    m_view->setColumnWidths({24, 22, 14}, FormModel::ValueColumn);
    m_view->setTextElideMode(Qt::ElideRight);
    m_view->setIndentation(14);
    m_view->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked | QAbstractItemView::AnyKeyPressed);
    m_sections->setObjectName(QStringLiteral("formSection"));
    m_sections->setAccessibleName(tr("Section of the file"));
    m_sections->setToolTip(tr("Which part of the file is edited: base, or what an override changes"));
    m_expert->setObjectName(QStringLiteral("formExpert"));
    m_expert->setToolTip(tr("Show keys that few recipes need, too"));
    m_set->setObjectName(QStringLiteral("formSet"));
    m_set->setToolTip(tr("Show only keys that the text has"));
    m_note->setObjectName(QStringLiteral("formNote"));
    m_note->setWordWrap(true);
    m_note->hide();
    m_doc->setObjectName(QStringLiteral("formDoc"));
    m_doc->setWordWrap(true);
    m_doc->setTextFormat(Qt::RichText);
    m_doc->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_doc->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_doc->setContentsMargins(8, 6, 8, 6);
    auto* docArea = new QScrollArea(this);
    docArea->setAccessibleName(tr("About the key"));
    docArea->setFrameShape(QFrame::NoFrame);
    docArea->setWidgetResizable(true);
    docArea->setWidget(m_doc);
    docArea->setFixedHeight(fontMetrics().height() * 6);
    auto* filter = new QLineEdit(this);
    filter->setObjectName(QStringLiteral("formFilter"));
    filter->setPlaceholderText(tr("Filter by key or value"));
    filter->setAccessibleName(tr("Filter of the form"));
    filter->setClearButtonEnabled(true);

    auto* top = new QHBoxLayout;
    top->addWidget(m_sections, 1);
    top->addWidget(m_expert);
    top->addWidget(m_set);
    auto* bar = new QVBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addLayout(top);
    bar->addWidget(filter);
    bar->addWidget(m_note);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view, 1);
    column->addWidget(docArea);
    setFocusProxy(m_view);

    connect(filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_view->filter().setWords(words);
        if (words.trimmed().isEmpty())
            keepExpanded();
        else
            m_view->expandAll();
    });
    connect(m_sections, &QComboBox::activated, this, &FormPane::refresh);
    connect(m_expert, &QCheckBox::toggled, this, &FormPane::refresh);
    connect(m_set, &QCheckBox::toggled, this, &FormPane::refresh);
    connect(m_view, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (!m_isResetting)
            m_open.insert(index.data(FormModel::PathRole).toString());
    });
    connect(m_view, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (!m_isResetting)
            m_open.remove(index.data(FormModel::PathRole).toString());
    });
    connect(&m_model, &QAbstractItemModel::modelReset, this, &FormPane::keepExpanded);
    connect(&m_model, &FormModel::edited, this, &FormPane::edit);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &FormPane::refreshDoc);
    connect(m_view, &TableView::sourceActivated, this, [this](const QModelIndex& source) {
        const QModelIndex value = m_view->currentIndex().siblingAtColumn(FormModel::ValueColumn);
        if (value.flags().testFlag(Qt::ItemIsEditable)) {
            m_view->setCurrentIndex(value);
            m_view->edit(value);
        } else {
            const QModelIndex row = m_view->filter().mapFromSource(source);
            m_view->setExpanded(row, !m_view->isExpanded(row));
        }
    });
    connect(m_view, &TableView::menuRequested, this, [this](QMenu& menu, const QModelIndex& source) {
        if (!source.isValid() || !m_model.valueOf(source))
            return;
        menu.addAction(tr("Show in the text"), this, [this, at = QPersistentModelIndex(source)] { goToText(at); });
        menu.addAction(tr("Remove the key"), this, [this, at = QPersistentModelIndex(source)] { edit(at, {}); });
    });
    connect(&session.documents(), &Documents::currentChanged, this, &FormPane::refresh);
    connect(&session.documents(), &Documents::checked, this, &FormPane::refresh);
    refresh();
}

std::string FormPane::section() const
{
    return m_sections->currentData().toString().toStdString();
}

void FormPane::refreshSections(const check::Checked& checked)
{
    const auto pack = schema::builtInPack(*checked.pack);
    QStringList keys;
    for (const syntax::Member& member : checked.parsed.root&& pack ? checked.parsed.root->members : std::vector<syntax::Member>()) {
        const auto form =
            std::find_if(pack->forms().begin(), pack->forms().end(), [&](const schema::FormKey& each) { return each.matches(member.key); });
        // A zip holds lists where the recipe has values: that is text, or the matrix of Variants.
        if (form != pack->forms().end() && (form->holds == schema::Content::Recipe || form->holds == schema::Content::Changes))
            keys += text(member.key);
    }
    if (checked.form != expand::Form::Override)
        keys.clear();
    QStringList now;
    for (int i = 0; i < m_sections->count(); ++i)
        now += m_sections->itemData(i).toString();
    const QStringList wanted = keys.isEmpty() ? QStringList{QString()} : keys;
    if (now == wanted)
        return;
    const QString before = m_sections->currentData().toString();
    m_sections->clear();
    for (const QString& key : wanted)
        m_sections->addItem(key.isEmpty() ? tr("The whole recipe") : key, key);
    m_sections->setCurrentIndex(std::max(0, m_sections->findData(before)));
    m_sections->setEnabled(wanted.size() > 1);
}

bool FormPane::isInSection(const syntax::Diagnostic& problem) const
{
    const std::string here = section();
    if (problem.source != syntax::Source::Recipe)
        return false;
    if (here.empty())
        return true;
    const Document* document = m_session.documents().current();
    const syntax::Member* member = document->checked->parsed.root->member(here);
    return member && member->value->range.begin <= problem.range.begin && problem.range.begin <= member->value->range.end;
}

void FormPane::refresh()
{
    const Document* document = m_session.documents().current();
    const CheckedPtr checked = document ? document->checked : nullptr;
    FormSource source;
    if (!checked || !checked->pack) {
        m_view->setEmptyText(document ? tr("The text is no recipe.") : tr("The recipe you edit is shown here as a form."));
        m_sections->clear();
        m_model.setSource(source);
        return refreshDoc();
    }
    refreshSections(*checked);
    source.pack = schema::builtInPack(*checked->pack);
    source.root = checked->parsed.root;
    const std::string part = section();
    if (!part.empty() && source.root)
        source.root = source.root->find(part);
    source.isExpert = m_expert->isChecked();
    source.onlySet = m_set->isChecked();
    for (const syntax::Diagnostic& problem : checked->diagnostics) {
        if (problem.path.empty() || !isInSection(problem))
            continue;
        std::string path = problem.path;
        if (!part.empty() && path.starts_with(part + '.'))
            path.erase(0, part.size() + 1);
        const auto [at, isNew] = source.problems.try_emplace(std::move(path), problem.severity);
        if (!isNew)
            at->second = std::min(at->second, problem.severity);
    }
    m_view->setEmptyText(tr("The text has none of the keys."));
    // An open editor stays: what is being typed is not taken away by a check.
    m_view->changeQuietly([&] { m_model.setSource(source); });
    if (!checked->parsed.complete)
        say(tr("The text has a syntax error; the form shows what could be read and changes nothing until it is mended."));
    else
        say({});
    refreshDoc();
}

void FormPane::keepExpanded()
{
    m_isResetting = true;
    const std::function<void(const QModelIndex&)> open = [&](const QModelIndex& parent) {
        for (int row = 0; row < m_view->model()->rowCount(parent); ++row) {
            const QModelIndex index = m_view->model()->index(row, 0, parent);
            m_view->setExpanded(index, m_open.contains(index.data(FormModel::PathRole).toString()));
            open(index);
        }
    };
    if (m_open.isEmpty())
        m_view->expandToDepth(0);
    else
        open({});
    m_isResetting = false;
}

void FormPane::refreshDoc()
{
    const QModelIndex source = m_view->currentSource();
    m_doc->setText(source.isValid() ? source.data(FormModel::DocRole).toString()
                                    : tr("F2 or a letter changes the value of a key; an empty value takes the key away."));
}

void FormPane::say(const QString& words)
{
    m_note->setText(words);
    m_note->setVisible(!words.isEmpty());
}

void FormPane::edit(const QModelIndex& source, const QString& typed)
{
    const Document* document = m_session.documents().current();
    if (!document || !source.isValid())
        return;
    assist::KeyPath path = m_model.keysOf(source);
    const QString shown = source.data(FormModel::PathRole).toString();
    if (const std::string part = section(); !part.empty())
        path.insert(path.begin(), part);
    const bool isRemoval = typed.trimmed().isEmpty();
    const assist::ValueChange change =
        isRemoval ? assist::valueRemoved(document->source, path)
                  : assist::valueSet(document->source, path, assist::valueTyped(typed.toStdString(), m_model.typeOf(source)));
    if (!change.whyNot.empty())
        return say(text(change.whyNot));
    say({});
    m_session.documents().change(document->id, document->version, isRemoval ? tr("remove %1").arg(shown) : tr("set %1").arg(shown),
                                 change.text);
}

void FormPane::goToText(const QModelIndex& source)
{
    const Document* document = m_session.documents().current();
    const syntax::ValuePtr value = source.isValid() ? m_model.valueOf(source) : nullptr;
    if (document && value && !value->range.isEmpty())
        m_session.documents().goTo(document->id, value->range.begin);
}

} // namespace wb::ui
