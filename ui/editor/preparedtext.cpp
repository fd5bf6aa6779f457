#include "ui/editor/preparedtext.h"

#include <QCoreApplication>
#include <QThread>

namespace wb::ui {

QString withLineFeeds(QString text)
{
    if (text.contains(u'\r')) {
        text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
        text.replace(u'\r', u'\n');
    }
    return text;
}

PreparedText preparedText(const QString& text)
{
    PreparedText prepared;
    prepared.document.reset(new QTextDocument);
    prepared.document->setPlainText(withLineFeeds(text));
    prepared.document->setModified(false);
    prepared.positions.reset(*prepared.document);
    prepared.document->moveToThread(QCoreApplication::instance()->thread());
    return prepared;
}

} // namespace wb::ui
