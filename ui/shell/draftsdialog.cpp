#include "ui/shell/draftsdialog.h"

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "ui/async/background.h"
#include "ui/models/text.h"
#include "ui/shell/textdiffdialog.h"
#include "ui/shell/textformat.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui {

namespace {

struct Now {
    std::string text;
    bool isThere = false;
};

/// The file as it stands now.
Now textOf(const std::string& path)
{
    if (path.empty())
        return {};
    const auto bytes = base::readFile(path);
    if (!bytes)
        return {};
    auto read = decoded(*bytes, path);
    return read ? Now{std::move(read->text), true} : Now{};
}

} // namespace

DraftsDialog::DraftsDialog(Session& session, std::vector<store::Orphan> orphans, QWidget* parent)
    : QDialog(parent)
    , m_session(session)
    , m_orphans(std::move(orphans))
    , m_list(new QTreeWidget(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("draftsDialog"));
    setWindowTitle(tr("Unsaved changes"));
    auto* words = new QLabel(tr("The workbench ended without closing these texts. What was typed until a few seconds before is kept here; "
                                "the files themselves were not touched."),
                             this);
    words->setWordWrap(true);
    m_list->setObjectName(QStringLiteral("draftsList"));
    m_list->setAccessibleName(tr("Texts with unsaved changes"));
    m_list->setHeaderLabels({tr("Text"), tr("Last change"), tr("File")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(true);
    auto* buttons = new QDialogButtonBox(this);
    m_restore = buttons->addButton(tr("&Restore"), QDialogButtonBox::ActionRole);
    auto* all = buttons->addButton(tr("Restore &all"), QDialogButtonBox::ActionRole);
    m_difference = buttons->addButton(tr("Show &difference"), QDialogButtonBox::ActionRole);
    m_discard = buttons->addButton(tr("Discard"), QDialogButtonBox::DestructiveRole);
    auto* later = buttons->addButton(tr("&Later"), QDialogButtonBox::RejectRole);
    m_restore->setToolTip(tr("Open it with its changes, not saved"));
    m_discard->setToolTip(tr("Forget the changes of the chosen text for good"));
    later->setToolTip(tr("Keep them all for the next start"));
    m_restore->setDefault(true);
    connect(m_restore, &QPushButton::clicked, this, &DraftsDialog::restore);
    connect(all, &QPushButton::clicked, this, &DraftsDialog::restoreAll);
    connect(m_difference, &QPushButton::clicked, this, &DraftsDialog::showDifference);
    connect(m_discard, &QPushButton::clicked, this, &DraftsDialog::discard);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QTreeWidget::itemActivated, this, &DraftsDialog::restore);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &DraftsDialog::refreshButtons);
    auto* column = new QVBoxLayout(this);
    column->addWidget(words);
    column->addWidget(m_list, 1);
    column->addWidget(buttons);
    resize(760, 320);
    refill();
}

void DraftsDialog::refill()
{
    m_list->clear();
    for (const store::Orphan& orphan : m_orphans) {
        const QDateTime time = QDateTime::fromSecsSinceEpoch(orphan.draft.time);
        auto* item = new QTreeWidgetItem(m_list, {text(orphan.draft.title), QLocale().toString(time, QLocale::ShortFormat),
                                                  orphan.draft.path.empty() ? tr("never saved") : text(orphan.draft.path)});
        item->setData(0, Qt::UserRole, text(orphan.file));
        item->setToolTip(1, time.toUTC().toString(Qt::ISODate));
        item->setToolTip(2, text(orphan.draft.path));
    }
    m_list->setCurrentItem(m_list->topLevelItem(0));
    m_list->resizeColumnToContents(1);
    m_list->setColumnWidth(0, m_list->fontMetrics().averageCharWidth() * 30);
    refreshButtons();
}

void DraftsDialog::refreshButtons()
{
    for (QPushButton* button : {m_restore, m_difference, m_discard})
        button->setEnabled(chosen());
}

const store::Orphan* DraftsDialog::chosen() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    const std::string file = item ? item->data(0, Qt::UserRole).toString().toStdString() : std::string();
    const auto found = std::find_if(m_orphans.begin(), m_orphans.end(), [&](const store::Orphan& orphan) { return orphan.file == file; });
    return found == m_orphans.end() ? nullptr : &*found;
}

void DraftsDialog::remove(const std::string& file)
{
    std::erase_if(m_orphans, [&](const store::Orphan& orphan) { return orphan.file == file; });
    if (m_orphans.empty())
        accept();
    else
        refill();
}

void DraftsDialog::showDifference()
{
    const store::Orphan* orphan = chosen();
    if (!orphan)
        return;
    async::runInBackground(
        m_session.workers(), this, [path = orphan->draft.path] { return textOf(path); },
        [this, draft = orphan->draft](const Now& now) {
            const bool isOther = now.isThere && base::sha256Hex(now.text) != draft.base;
            const QString name = now.isThere ? text(draft.path) : tr("nothing");
            (new TextDiffDialog(tr("Unsaved changes of %1").arg(text(draft.title)), now.text, draft.text,
                                isOther ? tr("%1 (changed since by another program)").arg(name) : name, tr("unsaved"), this))
                ->open();
        });
}

void DraftsDialog::restore()
{
    if (const store::Orphan* orphan = chosen()) {
        m_session.drafts().restore(*orphan);
        remove(std::string(orphan->file));
    }
}

void DraftsDialog::restoreAll()
{
    for (const store::Orphan& orphan : m_orphans)
        m_session.drafts().restore(orphan);
    accept();
}

void DraftsDialog::discard()
{
    if (const store::Orphan* orphan = chosen()) {
        m_session.drafts().discard(*orphan);
        remove(std::string(orphan->file));
    }
}

} // namespace wb::ui
