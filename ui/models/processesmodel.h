#pragma once

#include "core/plan/topology.h"
#include "ui/models/rowsmodel.h"

#include <memory>

namespace wb::ui {

/// "Prefill 0", "Decode 1 rank 2": what a process is called in the window.
[[nodiscard]] QString processTitle(const plan::Process& process);

struct ProcessRow {
    std::string id; ///< Mode, index and rank.
    std::shared_ptr<const plan::Topology> topology;
    std::size_t index = 0;

    [[nodiscard]] const plan::Process& process() const { return topology->processes[index]; }
    friend bool operator==(const ProcessRow&, const ProcessRow&) = default;
};

/// The processes of a job with their nodes, GPUs and ports: the topology as a table.
class ProcessesModel final : public RowsModel<ProcessRow>
{
    Q_OBJECT

public:
    enum Column {
        NodeColumn,
        ModeColumn,
        IndexColumn,
        RankColumn,
        GpusColumn,
        HttpColumn,
        SysColumn,
        BootstrapColumn,
        KvEventsColumn,
        NixlColumn,
        DpRpcColumn,
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole };

    explicit ProcessesModel(QObject* parent = nullptr);

    void setTopology(const std::shared_ptr<const plan::Topology>& topology); ///< Null: none.

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace wb::ui
