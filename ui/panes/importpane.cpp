#include "ui/panes/importpane.h"

#include "ui/models/text.h"
#include "ui/panes/tableview.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace wb::ui {

ImportPane::ImportPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_view(new TableView(&m_model, ImportModel::SortRole, tr("Import report"), this))
    , m_summary(new QLabel(this))
    , m_state(new QComboBox(this))
    , m_format(new QComboBox(this))
    , m_gpus(new QLineEdit(this))
    , m_isl(new QLineEdit(this))
    , m_osl(new QLineEdit(this))
    , m_tell(new QPushButton(tr("Read again with this"), this))
{
    m_view->setObjectName(QStringLiteral("importView"));
    m_view->setColumnWidths({11, 44, 22, 6, 40}, ImportModel::Reason);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setEmptyText(tr("Import results with File \u2192 Import results: what became of each file stands here."));
    m_summary->setObjectName(QStringLiteral("importSummary"));
    auto* filter = new QLineEdit(this);
    filter->setObjectName(QStringLiteral("importFilter"));
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter of the import report"));
    filter->setClearButtonEnabled(true);
    connect(filter, &QLineEdit::textChanged, m_view, [this](const QString& words) { m_view->filter().setWords(words); });
    m_state->setObjectName(QStringLiteral("importState"));
    m_state->setAccessibleName(tr("Which files are listed"));
    m_state->addItem(tr("All"), QString());
    for (const char* state : {"imported", "unchanged", "refused", "ignored", "verified", "declared only", "failed", "unknown", "note"})
        m_state->addItem(tr(state), QString::fromLatin1(state));
    connect(m_state, &QComboBox::currentIndexChanged, this, [this] {
        const QString wanted = m_state->currentData().toString();
        if (wanted.isEmpty())
            return m_view->filter().setCondition({});
        m_view->filter().setCondition([this, wanted](const QModelIndex& index) { return m_model.row(index.row()).state == wanted; });
    });
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_summary, 1);
    bar->addWidget(filter, 1);
    bar->addWidget(m_state);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_view, 1);
    column->addWidget(makeTeller());
    setFocusProxy(m_view);
    connect(m_view, &TableView::menuRequested, this, &ImportPane::addToMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ImportPane::showTellable);
    connect(&session.results(), &Results::reportChanged, this, &ImportPane::refresh);
    refresh();
    showTellable();
}

QWidget* ImportPane::makeTeller()
{
    auto* teller = new QWidget(this);
    auto* row = new QHBoxLayout(teller);
    row->setContentsMargins(6, 4, 6, 4);
    row->addWidget(new QLabel(tr("The selected files:"), teller));
    m_format->setObjectName(QStringLiteral("importFormat"));
    m_format->setAccessibleName(tr("Format of the selected files"));
    m_format->addItem(tr("by their content"), QString());
    for (const results::Importer& importer : results::importers()) {
        m_format->addItem(text(importer.title), text(importer.id));
        m_format->setItemData(m_format->count() - 1, text(importer.doc), Qt::ToolTipRole);
    }
    m_format->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_format->setMinimumContentsLength(14);
    row->addWidget(m_format, 2);
    struct Field {
        QLineEdit* edit;
        const char* name;
        QString title;
        QString tip;
    };
    for (const Field& field : {Field{m_gpus, "importGpus", tr("GPUs"), tr("How many GPUs worked")},
                               Field{m_isl, "importIsl", tr("ISL"), tr("Input tokens a request")},
                               Field{m_osl, "importOsl", tr("OSL"), tr("Output tokens a request")}}) {
        field.edit->setObjectName(QString::fromLatin1(field.name));
        field.edit->setAccessibleName(field.tip);
        field.edit->setPlaceholderText(field.title);
        field.edit->setToolTip(field.tip);
        field.edit->setMaximumWidth(fontMetrics().horizontalAdvance(QLatin1Char('0')) * 12);
        row->addWidget(field.edit, 1);
        connect(field.edit, &QLineEdit::textChanged, this, &ImportPane::showTellable);
        connect(field.edit, &QLineEdit::returnPressed, m_tell, &QPushButton::click);
    }
    m_tell->setObjectName(QStringLiteral("importTell"));
    m_tell->setAutoDefault(false);
    row->addWidget(m_tell);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ImportPane::showTellable);
    connect(m_tell, &QPushButton::clicked, this, &ImportPane::tell);
    return teller;
}

QStringList ImportPane::selectedFiles() const
{
    QStringList files;
    for (const QModelIndex& index : m_view->selectedSources())
        if (const std::string& file = m_model.row(index.row()).file; !file.empty())
            files += text(file);
    files.removeDuplicates();
    return files;
}

void ImportPane::showTellable()
{
    const bool saysSomething = !m_format->currentData().toString().isEmpty() || !m_gpus->text().trimmed().isEmpty() ||
                               !m_isl->text().trimmed().isEmpty() || !m_osl->text().trimmed().isEmpty();
    const qsizetype count = selectedFiles().size();
    m_tell->setEnabled(count > 0);
    m_tell->setToolTip(count == 0 ? tr("Select files in the table first")
                       : saysSomething
                           ? tr("Reads %n file(s) with what you say; it is kept for later readings", nullptr, static_cast<int>(count))
                           : tr("Reads %n file(s) again", nullptr, static_cast<int>(count)));
}

void ImportPane::tell()
{
    results::Told told;
    told.format = m_format->currentData().toString().toStdString();
    for (const auto& [key, edit] : {std::pair{"gpus", m_gpus}, std::pair{"isl", m_isl}, std::pair{"osl", m_osl}})
        if (const QString said = edit->text().trimmed(); !said.isEmpty())
            told.fields.emplace_back(key, said.toStdString());
    m_session.results().importTold(selectedFiles(), told);
}

void ImportPane::refresh()
{
    const Results& results = m_session.results();
    m_view->changeQuietly([&] { m_model.setReport(results.report(), results.runReports()); });
    m_summary->setText(results.report().empty() ? QString() : text(results::reportSummary(results.report())));
    showTellable();
}

void ImportPane::addToMenu(QMenu& menu, const QModelIndex& source)
{
    const QStringList files = selectedFiles();
    QMenu* formats = menu.addMenu(tr("This is"));
    formats->setEnabled(!files.isEmpty());
    for (const results::Importer& importer : results::importers())
        formats->addAction(text(importer.title), this, [this, files, id = std::string(importer.id)] {
            m_session.results().importTold(files, {.format = id, .fields = {}});
        });
    menu.addAction(tr("Read again by content"), this, [this, files] { m_session.results().importTold(files, {}); })
        ->setEnabled(!files.isEmpty());
    if (source.isValid() && !m_model.row(source.row()).file.empty())
        menu.addAction(tr("Open its folder"), this, [file = text(m_model.row(source.row()).file)] {
            QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).absolutePath()));
        });
}

} // namespace wb::ui
