#include "ui/panes/saving.h"

#include "core/store/atomicfile.h"
#include "ui/async/background.h"
#include "ui/panes/messagebar.h"
#include "ui/shell/log.h"
#include "ui/shell/session.h"

#include <QFileDialog>
#include <QPointer>

#include <utility>

namespace wb::ui {

namespace {

/// "csv" of "Table (*.csv)"; empty for all files.
QString suffixOf(const QString& filter)
{
    return filter.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
}

QFileDialog* dialogFor(QWidget& parent, const QString& title, const QStringList& filters, const std::function<void(const QString&)>& use)
{
    auto* dialog = new QFileDialog(&parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!filters.isEmpty())
        dialog->setNameFilters(filters);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, use);
    return dialog;
}

} // namespace

void askWhereToSave(QWidget& parent, const QString& title, const QStringList& filters, const QString& name,
                    const std::function<void(const QString&)>& use, const QString& objectName)
{
    QFileDialog* const dialog = dialogFor(parent, title, filters, use);
    dialog->setObjectName(objectName);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    if (!filters.isEmpty())
        dialog->setDefaultSuffix(suffixOf(filters.front()));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
                     [dialog](const QString& filter) { dialog->setDefaultSuffix(suffixOf(filter)); });
    if (!name.isEmpty())
        dialog->selectFile(name);
    dialog->open();
}

void askWhatToOpen(QWidget& parent, const QString& title, const QStringList& filters, const std::function<void(const QString&)>& use)
{
    QFileDialog* const dialog = dialogFor(parent, title, filters, use);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->open();
}

void saveInBackground(Session& session, QObject& context, MessageBar& bar, std::function<Result<void>()> work, const QString& done)
{
    async::runInBackground(session.workers(), &context, std::move(work),
                           [&session, bar = QPointer<MessageBar>(&bar), done](const Result<void>& written) {
                               if (written)
                                   session.log().info(done);
                               else if (bar)
                                   bar->showError(written.error());
                           });
}

void saveInBackground(Session& session, QObject& context, MessageBar& bar, const QString& file, std::string bytes, const QString& done)
{
    saveInBackground(
        session, context, bar, [path = file.toStdString(), bytes = std::move(bytes)] { return store::writeAtomically(path, bytes); }, done);
}

} // namespace wb::ui
