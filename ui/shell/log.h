#pragma once

#include "core/base/result.h"
#include "ui/models/logmodel.h"

#include <QObject>

namespace wb::ui {

/// What happened in this session, with the time: shown in the Log pane.
class Log final : public QObject
{
    Q_OBJECT

public:
    explicit Log(QObject* parent = nullptr);

    void info(const QString& text, const QString& detail = {});
    void warning(const QString& text, const QString& detail = {});
    void error(const Error& error); ///< A cancelled operation is not told.
    void clear();

    [[nodiscard]] LogModel& model() { return m_model; }

Q_SIGNALS:
    void errorAdded(const QString& text);

private:
    void add(syntax::Severity severity, const QString& text, const QString& detail);

    LogModel m_model;
    std::size_t m_serial = 0;
};

} // namespace wb::ui
