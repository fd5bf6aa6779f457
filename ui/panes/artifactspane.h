#pragma once

#include "core/render/secrets.h"
#include "ui/async/debounce.h"
#include "ui/async/latestjob.h"
#include "ui/models/artifacthitsmodel.h"
#include "ui/models/artifactsmodel.h"
#include "ui/models/cellsmodel.h"
#include "ui/shell/session.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace wb::ui {

class MessageBar;
class RecipeEditor;
class TableView;

/// What the selected job would put on the cluster: the exact bytes, each with its SHA-256. They are searched all at once, and set against
/// those of another job or of the other launcher. Secrets in them are masked on the screen.
class ArtifactsPane final : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::size_t mostHits = 2000;

    ArtifactsPane(Session& session, QWidget* parent = nullptr);

private:
    struct Hits {
        std::vector<render::ArtifactHit> hits;
        std::vector<std::string> names;
        bool isAll = true; ///< Not cut off at `mostHits`.
    };

    void refresh();
    void refreshList();
    void refreshCompared();
    void fillCompared();
    void search();
    void showHit(const QModelIndex& source);
    void showArtifact();
    void showText(const std::string& bytes, const QString& language);
    void showTable(const std::string& bytes);
    /// The bytes of the artifact that the current one is compared with; nothing when there is none, or its hash alone is known.
    [[nodiscard]] const std::string* otherBytes(const ArtifactRow& row) const;
    [[nodiscard]] QString titleText() const;
    void saveArtifact();
    void copyCommand();
    void exportFolder();
    void exportTar();
    /// The bytes with secrets masked: what is shown, copied and exported. What is sent, and its hash, is the artifact itself.
    [[nodiscard]] std::string shownBytes(const render::Artifact& artifact) const;
    [[nodiscard]] std::vector<render::Secret> secretsIn(const DryRun* dryRun) const;
    [[nodiscard]] const ArtifactRow* currentRow() const; ///< Null when there is none.
    [[nodiscard]] const render::Artifact* current() const;
    QWidget* makeBar();

    Session& m_session;
    ArtifactsModel m_model;
    ArtifactHitsModel m_hitsModel;
    TableView* m_view;
    TableView* m_hits;
    QStackedWidget* m_lists; ///< The artifacts, or what was found in them.
    CellsModel m_tableModel;
    QStackedWidget* m_contents; ///< The artifact as a text, or as a table.
    RecipeEditor* m_text;
    TableView* m_table;
    QToolButton* m_find;
    QLabel* m_title;
    QLabel* m_hash;
    QLabel* m_found;
    QLineEdit* m_words;
    QComboBox* m_launcher;
    QComboBox* m_compared;
    QToolButton* m_copyCommand;
    MessageBar* m_message;
    std::vector<render::Secret> m_secrets; ///< Of the job whose artifacts are listed, and of the one they are compared with.
    std::string m_shown;                   ///< Name of the artifact in the text view.
    std::shared_ptr<const DryRun> m_other; ///< What it is compared with; null: nothing (yet).
    async::LatestJob<std::shared_ptr<const DryRun>> m_otherJob;
    async::LatestJob<Hits> m_searchJob;
    async::Debounce m_typing;
};

} // namespace wb::ui
