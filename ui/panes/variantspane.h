#pragma once

#include "ui/async/latestjob.h"
#include "ui/models/sidesmodel.h"
#include "ui/models/variantsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QLabel;
class QLineEdit;
class QMenu;
class QTabWidget;
class QToolButton;

namespace wb::ui {

class TableView;

/// "12 jobs · 96 GPUs · 48 GPU-h": jobs, GPUs and the most they can cost; what is not known is said.
[[nodiscard]] QString variantsSummary(const check::Checked& checked);

/// What is written as trial values: "key=value; other.key=value; -third.key", a minus for a key that is taken away. A term without "=" is
/// an error that names it.
[[nodiscard]] Result<std::vector<expand::Setting>> trialSettings(const QString& written);

/// The jobs of the current recipe; the chosen one is shown resolved, with where each value comes from, and the values in which the jobs
/// differ as a matrix. Values that are written at one place are changed here.
class VariantsPane final : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::size_t mostInMatrix = 500; ///< Jobs; of more the first ones are shown.

    VariantsPane(Session& session, QWidget* parent = nullptr);

private:
    struct Sides {
        CheckedPtr checked;
        std::vector<check::SideRow> rows;
        QStringList titles;
    };

    void makeTables();
    void refresh();
    void refreshResolved();
    void refreshMatrix();
    void refreshTrial();
    void refreshMeasured();
    void showMeasured();
    /// Marks the jobs that the question is true of, for what is done with several of them.
    void markJobs(const std::function<bool(const analysis::Measured&)>& isMarked);
    [[nodiscard]] int countJobs(const std::function<bool(const analysis::Measured&)>& isCounted) const;
    void setTrial();
    void goToSource(const QModelIndex& source);
    void goToCell(const check::SideCell& cell);
    void addActions(QMenu& menu, const QModelIndex& source);
    void fillMenu(QMenu& menu);
    void changeValue(const CheckedPtr& checked, const check::SideCell& cell, const QString& path, const QString& typed);
    void changeVariant(const VariantRow& row, int column, const QString& typed);
    void changeParams(const Document& document, const VariantRow& row, const QString& typed);
    void changeSuffix(const Document& document, const VariantRow& row, const QString& typed);
    void say(const QString& words);
    [[nodiscard]] std::vector<std::size_t> selectedJobs() const;
    [[nodiscard]] bool mayEdit(const CheckedPtr& checked) const;

    Session& m_session;
    VariantsModel m_model;
    SidesModel m_resolvedModel;
    MatrixModel m_matrixModel;
    CheckedPtr m_resolvedOf; ///< The check that the rows were made from.
    CheckedPtr m_matrixOf;
    TableView* m_view;
    TableView* m_resolved;
    TableView* m_matrix;
    QTabWidget* m_tabs;
    QLabel* m_summary;
    QLabel* m_note;
    QLabel* m_matrixNote;
    QLineEdit* m_trial;
    QToolButton* m_withoutResults;
    async::LatestJob<std::pair<CheckedPtr, std::vector<std::optional<analysis::Measured>>>> m_measuredJob;
    async::LatestJob<Sides> m_resolvedJob;
    async::LatestJob<Sides> m_matrixJob;
};

} // namespace wb::ui
