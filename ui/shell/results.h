#pragma once

#include "core/analysis/rates.h"
#include "core/results/importer.h"
#include "core/results/importreport.h"
#include "ui/async/latestjob.h"
#include "ui/models/pointsmodel.h"
#include "ui/shell/log.h"

#include <QObject>
#include <QStringList>

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace wb::catalogue {
class Catalogue;
}

namespace wb::ui {

/// The imported points. They live in the catalogue, which is read and written on workers, one operation after the other.
class Results final : public QObject
{
    Q_OBJECT

public:
    /// `catalogueFile`: made with its folder when it is not there.
    Results(async::Workers& workers, Log& log, QString catalogueFile, QObject* parent = nullptr);
    ~Results() override;

    [[nodiscard]] const Points& points() const { return m_points; }    ///< Never null.
    [[nodiscard]] const results::Point* find(const PointId& id) const; ///< Null when there is none.

    /// Which points are looked at, in words and terms of the one grammar (core/analysis/filter.h): the table and the chart show those.
    [[nodiscard]] const QString& filter() const { return m_filter; }
    void setFilter(const QString& filter);

    void load(); ///< What was imported before.
    void import(const QStringList& paths);
    /// Reads the files again with what the user says of them: "this is X", GPU counts, lengths. It is kept for later readings, too.
    void importTold(const QStringList& paths, const results::Told& told);
    /// Puts the user's value in place of a field of one point of a file (`document`), or of all. An empty text makes it unknown, no text
    /// takes back what the user said before.
    void edit(const std::string& source, std::optional<std::size_t> document, const std::string& field,
              const std::optional<std::string>& text);
    /// What GPUs cost and draw, as the user says; the points have it, for the axes of cost and energy. Kept in a file beside the catalogue.
    [[nodiscard]] const analysis::Rates& rates() const { return m_rates; }
    /// A file that could not be read (see `ratesFault`) is kept beside the new one, with ".unread" at its end.
    void setRates(const analysis::Rates& rates);
    [[nodiscard]] const std::string& ratesFault() const { return m_ratesFault; } ///< Why the rates could not be read; empty: they could.
    void setNote(const RunId& run, const std::string& note);
    void setTags(const RunId& run, const std::vector<std::string>& tags);
    void forget(const QStringList& sources); ///< Files whose points go from the catalogue; the files stay.
    void cancel();                           ///< Stops the import that runs and those that wait.

    /// Why imports cannot be kept ("permission denied"); empty when they can. Told with `pointsChanged`.
    [[nodiscard]] const QString& whyReadOnly() const { return m_whyReadOnly; }
    [[nodiscard]] const QString& catalogueFile() const { return m_file; }

    [[nodiscard]] bool isImporting() const { return m_isImporting; }
    [[nodiscard]] std::size_t filesDone() const { return m_done; }
    [[nodiscard]] std::size_t filesTotal() const { return m_total; } ///< 0: not known yet.

    /// What became of each file of the imports of this session, the last word on each; and what was told of runs.
    [[nodiscard]] const std::vector<results::ReportLine>& report() const { return m_report; }
    [[nodiscard]] const std::vector<results::RunReport>& runReports() const { return m_runReports; }

    /// Of the import that runs, or ran last.
    [[nodiscard]] const QStringList& importing() const { return m_importing; }
    [[nodiscard]] const QString& outcome() const { return m_outcome; } ///< What came of it; empty while it runs and when it was stopped.
    [[nodiscard]] bool hasFailed() const { return m_hasFailed; }

Q_SIGNALS:
    void pointsChanged();
    void filterChanged();
    void reportChanged();
    void importChanged(); ///< Began, went on or ended.
    void imported(const QString& summary);
    void failed(const wb::Error& error);

private:
    enum class Kind { Load, Import, Forget, Change };
    struct Task {
        Kind kind = Kind::Load;
        std::vector<std::string> paths;
        results::Told told = {};
        std::function<Result<void>(catalogue::Catalogue&)> change = {};
    };
    struct Outcome {
        Kind kind = Kind::Load;
        results::Imported imported;
        Points points; ///< Null when they could not be read.
        analysis::Rates rates;
        std::string ratesFault; ///< Why they could not be read.
        std::string whyReadOnly;
        std::optional<Error> error;
    };

    static Outcome run(const Task& task, const std::string& file, const async::Report& report, const std::stop_token& stop);
    void add(Task task);
    void startNext();
    void finish(const Outcome& outcome);
    void tellImported(const results::Imported& imported);
    void addToReport(const results::Imported& imported);
    void change(std::function<Result<void>(catalogue::Catalogue&)> change);

    Log& m_log;
    QString m_file;
    QString m_whyReadOnly;
    QString m_filter;
    analysis::Rates m_rates;
    std::string m_ratesFault;
    std::vector<results::ReportLine> m_report;
    std::vector<results::RunReport> m_runReports;
    Points m_points;
    std::deque<Task> m_waiting;
    bool m_isImporting = false;
    QStringList m_importing;
    QString m_outcome;
    bool m_hasFailed = false;
    std::size_t m_done = 0;
    std::size_t m_total = 0;
    async::LatestJob<std::shared_ptr<const Outcome>> m_job;
};

} // namespace wb::ui
