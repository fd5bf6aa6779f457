#include "ui/panes/helppane.h"

#include "core/recipe/rules.h"
#include "core/snapshot/findingrules.h"
#include "core/syntax/codes.h"
#include "ui/editor/hovertext.h"
#include "ui/models/text.h"

#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace wb::ui {

namespace {

QString link(const QString& topic, const QString& words)
{
    return QStringLiteral("<a href=\"help:%1\">%2</a>").arg(topic, words.toHtmlEscaped());
}

QString backToList()
{
    return QStringLiteral("<p>%1</p>").arg(link({}, HelpPane::tr("All codes and rules")));
}

QString codePage(const syntax::CodeInfo& code)
{
    return QStringLiteral("<h3>%1</h3><p><b>%2</b></p><p>%3</p>")
        .arg(text(code.id).toHtmlEscaped(), text(code.title).toHtmlEscaped(), text(code.help).toHtmlEscaped());
}

QString rulePage(const recipe::Rule& rule)
{
    const QString of = rule.packs == recipe::Packs::First    ? HelpPane::tr("A rule of schema 1.")
                       : rule.packs == recipe::Packs::Second ? HelpPane::tr("A rule of schema 2.")
                                                             : HelpPane::tr("A rule of both schemas.");
    return QStringLiteral("<h3>%1</h3><p>%2</p><p>%3</p>").arg(text(rule.id).toHtmlEscaped(), text(rule.doc).toHtmlEscaped(), of);
}

/// Empty: there is no such topic.
QString pageOf(const QString& topic)
{
    for (const syntax::CodeInfo& code : syntax::allCodes()) {
        if (text(code.id) == topic)
            return codePage(code);
    }
    for (const recipe::Rule& rule : recipe::rules()) {
        if (text(rule.id) == topic)
            return rulePage(rule);
    }
    for (const snapshot::FindingRule& rule : snapshot::findingRules()) {
        if (text(rule.id) == topic)
            return QStringLiteral("<h3>%1</h3><p>%2</p><p>%3</p>")
                .arg(text(rule.id).toHtmlEscaped(), text(rule.doc).toHtmlEscaped(), HelpPane::tr("A rule of manifests (NVIDIA Snapshot)."));
    }
    return {};
}

QString listOfAll()
{
    QString html = QStringLiteral("<h3>%1</h3><ul>").arg(HelpPane::tr("Codes"));
    for (const syntax::CodeInfo& code : syntax::allCodes())
        html += QStringLiteral("<li>%1 &nbsp;%2</li>").arg(link(text(code.id), text(code.id)), text(code.title).toHtmlEscaped());
    html += QStringLiteral("</ul><h3>%1</h3><ul>").arg(HelpPane::tr("Rules"));
    for (const recipe::Rule& rule : recipe::rules())
        html += QStringLiteral("<li>%1</li>").arg(link(text(rule.id), text(rule.id)));
    html += QStringLiteral("</ul><h3>%1</h3><ul>").arg(HelpPane::tr("Rules of manifests (NVIDIA Snapshot)"));
    for (const snapshot::FindingRule& rule : snapshot::findingRules())
        html += QStringLiteral("<li>%1</li>").arg(link(text(rule.id), text(rule.id)));
    return html + QStringLiteral("</ul>");
}

} // namespace

HelpPane::HelpPane(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_view(new QTextBrowser(this))
{
    m_view->setObjectName(QStringLiteral("helpView"));
    m_view->setAccessibleName(tr("Help"));
    m_view->setOpenLinks(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->document()->setDocumentMargin(10);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    connect(m_view, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) { showTopic(url.path()); });
    connect(&session, &Session::helpWanted, this, &HelpPane::showTopic);
    connect(&session, &Session::fieldHelpWanted, this, &HelpPane::showField);
    showTopic({});
}

void HelpPane::showTopic(const QString& topic)
{
    const QString page = topic.isEmpty() ? QString() : pageOf(topic);
    if (!page.isEmpty())
        m_view->setHtml(page + backToList());
    else if (topic.isEmpty())
        m_view->setHtml(listOfAll());
    else
        m_view->setHtml(QStringLiteral("<p>%1</p>").arg(tr("There is no help on \"%1\".").arg(topic.toHtmlEscaped())) + listOfAll());
}

void HelpPane::showField(const assist::Hover& about)
{
    m_view->setHtml(htmlOf(about, m_view->palette(), false) + backToList());
}

} // namespace wb::ui
