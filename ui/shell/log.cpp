#include "ui/shell/log.h"

#include "ui/models/text.h"

namespace wb::ui {

Log::Log(QObject* parent)
    : QObject(parent)
{
}

void Log::info(const QString& text, const QString& detail)
{
    add(syntax::Severity::Info, text, detail);
}

void Log::warning(const QString& text, const QString& detail)
{
    add(syntax::Severity::Warning, text, detail);
}

void Log::error(const Error& error)
{
    if (error.code == ErrorCode::Cancelled)
        return;
    add(syntax::Severity::Error, text(error.message), text(error.detail));
    Q_EMIT errorAdded(text(error.message));
}

void Log::clear()
{
    m_model.clear();
}

void Log::add(syntax::Severity severity, const QString& text, const QString& detail)
{
    m_model.append({std::to_string(++m_serial), QDateTime::currentDateTime(), severity, text, detail});
}

} // namespace wb::ui
