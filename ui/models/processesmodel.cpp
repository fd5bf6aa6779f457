#include "ui/models/processesmodel.h"

#include "ui/models/text.h"

#include <array>

namespace wb::ui {

namespace {

struct ColumnInfo {
    const char* title;
    std::optional<std::int64_t> plan::Process::*port = nullptr; ///< Null: no port.
};

constexpr std::array<ColumnInfo, ProcessesModel::ColumnCount> columns{{
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "Node")},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "Mode")},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "Worker")},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "Rank")},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "GPUs")},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "HTTP port"), &plan::Process::httpPort},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "System port"), &plan::Process::sysPort},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "Bootstrap port"), &plan::Process::bootstrapPort},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "KV events port"), &plan::Process::kvEventsPort},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "NIXL port"), &plan::Process::nixlPort},
    {QT_TRANSLATE_NOOP("wb::ui::ProcessesModel", "DP RPC port"), &plan::Process::dpRpcPort},
}};

QString gpusText(const plan::Process& process)
{
    QStringList parts;
    for (const std::int64_t gpu : process.gpus)
        parts += wholeNumber(gpu);
    return parts.join(QLatin1Char(' '));
}

QVariant display(const plan::Process& process, int column)
{
    switch (column) {
    case ProcessesModel::NodeColumn:
        return text(process.node);
    case ProcessesModel::ModeColumn:
        return text(plan::name(process.mode));
    case ProcessesModel::IndexColumn:
        return wholeNumber(process.index);
    case ProcessesModel::RankColumn:
        return wholeNumber(process.rank);
    case ProcessesModel::GpusColumn:
        return gpusText(process);
    default: {
        const auto& port = process.*columns[static_cast<std::size_t>(column)].port;
        return port ? wholeNumber(*port) : dash();
    }
    }
}

} // namespace

QString processTitle(const plan::Process& process)
{
    QString title;
    switch (process.mode) {
    case plan::Mode::Prefill:
        title = ProcessesModel::tr("Prefill %1").arg(process.index);
        break;
    case plan::Mode::Decode:
        title = ProcessesModel::tr("Decode %1").arg(process.index);
        break;
    case plan::Mode::Agg:
        title = ProcessesModel::tr("Aggregated %1").arg(process.index);
        break;
    }
    return process.rank > 0 ? ProcessesModel::tr("%1, rank %2").arg(title).arg(process.rank) : title;
}

ProcessesModel::ProcessesModel(QObject* parent)
    : RowsModel(parent)
{
}

void ProcessesModel::setTopology(const std::shared_ptr<const plan::Topology>& topology)
{
    std::vector<ProcessRow> rows;
    if (topology) {
        rows.reserve(topology->processes.size());
        for (std::size_t i = 0; i < topology->processes.size(); ++i) {
            const plan::Process& process = topology->processes[i];
            rows.push_back(
                {std::string(plan::name(process.mode)) + ' ' + std::to_string(process.index) + ' ' + std::to_string(process.rank), topology,
                 i});
        }
    }
    setRows(std::move(rows));
}

int ProcessesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProcessesModel::data(const QModelIndex& index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const plan::Process& process = row(index.row()).process();
    switch (role) {
    case Qt::DisplayRole:
        return display(process, index.column());
    case SortRole:
        switch (index.column()) {
        case IndexColumn:
            return QVariant::fromValue<qlonglong>(process.index);
        case RankColumn:
            return QVariant::fromValue<qlonglong>(process.rank);
        default:
            return display(process, index.column());
        }
    case Qt::ToolTipRole:
        if (index.column() >= HttpColumn && display(process, index.column()) == dash())
            return tr("This process has no such port.");
        if (index.column() == HttpColumn && process.httpPort == 0)
            return tr("0: a follower serves no HTTP.");
        return processTitle(process);
    case Qt::TextAlignmentRole:
        return index.column() >= IndexColumn && index.column() != GpusColumn ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter)
                                                                             : QVariant();
    default:
        return {};
    }
}

QVariant ProcessesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return tr(columns[static_cast<std::size_t>(section)].title);
}

} // namespace wb::ui
