#include "ui/shell/shortcutsdialog.h"

#include "core/base/files.h"
#include "core/store/atomicfile.h"
#include "ui/models/text.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace wb::ui {

namespace {

constexpr int indexRole = Qt::UserRole;

QString plain(QString words)
{
    words.remove(QLatin1Char('&'));
    return words;
}

QString shown(const QAction* action)
{
    return QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
}

} // namespace

ShortcutsDialog::ShortcutsDialog(Shortcuts& shortcuts, QWidget* parent)
    : QDialog(parent)
    , m_shortcuts(shortcuts)
    , m_filter(new QLineEdit(this))
    , m_list(new QTreeWidget(this))
    , m_keys(new QKeySequenceEdit(this))
    , m_assign(new QPushButton(tr("&Assign"), this))
    , m_reset(new QPushButton(tr("&Default"), this))
    , m_note(new QLabel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("shortcutsDialog"));
    setWindowTitle(tr("Keyboard shortcuts"));
    m_filter->setObjectName(QStringLiteral("shortcutsFilter"));
    m_filter->setPlaceholderText(tr("Filter by command or key"));
    m_filter->setAccessibleName(tr("Filter of the commands"));
    m_filter->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("shortcutsList"));
    m_list->setAccessibleName(tr("Commands and their keys"));
    m_list->setColumnCount(3);
    m_list->setHeaderLabels({tr("Command"), tr("Menu"), tr("Keys")});
    m_list->setRootIsDecorated(false);
    m_list->setAlternatingRowColors(true);
    m_list->setUniformRowHeights(true);
    m_keys->setObjectName(QStringLiteral("shortcutsKeys"));
    m_keys->setAccessibleName(tr("New keys"));
    for (QLineEdit* inner : m_keys->findChildren<QLineEdit*>())
        inner->setAccessibleName(tr("New keys"));
    m_assign->setObjectName(QStringLiteral("assignShortcut"));
    m_reset->setObjectName(QStringLiteral("resetShortcut"));
    m_reset->setToolTip(tr("The keys that the command came with"));
    m_note->setObjectName(QStringLiteral("shortcutsNote"));
    m_note->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->addWidget(m_keys, 1);
    row->addWidget(m_assign);
    row->addWidget(m_reset);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* all = buttons->addButton(tr("Reset all"), QDialogButtonBox::ResetRole);
    QPushButton* save = buttons->addButton(tr("Export\u2026"), QDialogButtonBox::ActionRole);
    QPushButton* load = buttons->addButton(tr("Import\u2026"), QDialogButtonBox::ActionRole);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_filter);
    column->addWidget(m_list, 1);
    column->addLayout(row);
    column->addWidget(m_note);
    column->addWidget(buttons);
    resize(720, 620);

    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutsDialog::applyFilter);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ShortcutsDialog::refreshCurrent);
    connect(m_keys, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutsDialog::refreshConflict);
    connect(m_assign, &QPushButton::clicked, this, &ShortcutsDialog::assign);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (QAction* action = current())
            m_shortcuts.reset(action);
    });
    connect(all, &QPushButton::clicked, &m_shortcuts, &Shortcuts::resetAll);
    connect(save, &QPushButton::clicked, this, &ShortcutsDialog::exportKeys);
    connect(load, &QPushButton::clicked, this, &ShortcutsDialog::importKeys);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&m_shortcuts, &Shortcuts::changed, this, &ShortcutsDialog::fill);
    fill();
    m_filter->setFocus();
}

void ShortcutsDialog::fill()
{
    const int before = m_list->currentItem() ? m_list->currentItem()->data(0, indexRole).toInt() : 0;
    m_list->clear();
    const auto& entries = m_shortcuts.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const QAction* action = entries[i].action;
        if (!action)
            continue;
        auto* item = new QTreeWidgetItem(m_list, {plain(action->text()), entries[i].group, shown(action)});
        item->setData(0, indexRole, static_cast<int>(i));
        if (m_shortcuts.isChanged(action)) {
            QFont bold = item->font(2);
            bold.setBold(true);
            item->setFont(2, bold);
            item->setToolTip(
                2, tr("Changed; it came with: %1").arg(QKeySequence::listToString(entries[i].original, QKeySequence::NativeText)));
        }
        if (static_cast<int>(i) == before)
            m_list->setCurrentItem(item);
    }
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->resizeColumnToContents(1);
    m_list->setColumnWidth(2, m_list->fontMetrics().horizontalAdvance(QLatin1Char('0')) * 26);
    applyFilter();
    refreshCurrent();
}

void ShortcutsDialog::applyFilter()
{
    const QString words = m_filter->text().trimmed();
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_list->topLevelItem(i);
        bool isFound = words.isEmpty();
        for (int column = 0; column < 3 && !isFound; ++column)
            isFound = item->text(column).contains(words, Qt::CaseInsensitive);
        item->setHidden(!isFound);
    }
}

QAction* ShortcutsDialog::current() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    return item ? m_shortcuts.entries()[static_cast<std::size_t>(item->data(0, indexRole).toInt())].action.data() : nullptr;
}

void ShortcutsDialog::refreshCurrent()
{
    const QAction* action = current();
    const QSignalBlocker quiet(m_keys);
    m_keys->setKeySequence(action ? action->shortcut() : QKeySequence());
    m_keys->setEnabled(action != nullptr);
    m_reset->setEnabled(action && m_shortcuts.isChanged(action));
    refreshConflict();
}

void ShortcutsDialog::refreshConflict()
{
    const QAction* action = current();
    const QKeySequence keys = m_keys->keySequence();
    QStringList names;
    if (action && !keys.isEmpty()) {
        for (const QAction* other : m_shortcuts.conflicts(action, {keys}))
            names += plain(other->text());
    }
    m_note->setText(names.isEmpty() ? QString()
                                    : tr("%1 is taken by: %2. Assign takes it away there.")
                                          .arg(keys.toString(QKeySequence::NativeText), names.join(QStringLiteral(", "))));
    m_assign->setEnabled(action && QList<QKeySequence>{keys} != action->shortcuts());
}

void ShortcutsDialog::assign()
{
    QAction* action = current();
    if (!action)
        return;
    const QKeySequence keys = m_keys->keySequence();
    m_shortcuts.set(action, keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
}

void ShortcutsDialog::exportKeys()
{
    auto* dialog = new QFileDialog(this, tr("Export the keys that were changed"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("keys"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        const auto written = store::writeAtomically(file.toStdString(), m_shortcuts.exported().toStdString());
        m_note->setText(written ? tr("Written to %1.").arg(file) : text(written.error().message));
    });
    dialog->open();
}

void ShortcutsDialog::importKeys()
{
    auto* dialog = new QFileDialog(this, tr("Import keys"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        const auto bytes = base::readFile(file.toStdString(), std::uintmax_t{1} << 20);
        const Result<void> taken = bytes ? m_shortcuts.import(text(*bytes)) : Result<void>(tl::unexpected(bytes.error()));
        m_note->setText(taken ? tr("The keys of %1 are in force.").arg(file) : text(taken.error().message));
    });
    dialog->open();
}

} // namespace wb::ui
