#include "ui/shell/joblogs.h"

#include "core/base/text.h"
#include "core/remote/following.h"
#include "core/remote/ownlog.h"
#include "core/remote/slurmstates.h"
#include "ui/models/text.h"

#include <algorithm>
#include <utility>

namespace wb::ui {

namespace {

using namespace std::chrono_literals;

constexpr auto interval = 3s;
/// Of each file that much is kept and shown: its end.
constexpr std::uint64_t mostKept = std::uint64_t{1} << 20U;

/// Whole lines only; what is being written is shown when it is a line.
std::string_view wholeLines(std::string_view bytes, bool isSkipping)
{
    if (isSkipping)
        bytes.remove_prefix(std::min(bytes.size(), bytes.find('\n') == std::string_view::npos ? bytes.size() : bytes.find('\n') + 1));
    const std::size_t end = bytes.rfind('\n');
    return bytes.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

struct Part {
    std::string name;
    std::shared_ptr<const std::string> bytes;
    bool isSkipping = false;
};

LogTextPtr textOf(const std::vector<Part>& parts, bool isCollapsed)
{
    auto out = std::make_shared<LogText>();
    std::string all;
    for (const Part& part : parts) {
        std::string lines = remote::harmless(wholeLines(*part.bytes, part.isSkipping));
        if (isCollapsed)
            lines = remote::collapsed(lines);
        if (parts.size() == 1) {
            all = std::move(lines);
            break;
        }
        for (const std::string_view line : base::splitAt(lines, '\n'))
            if (!line.empty())
                all += part.name + ": " + std::string(line) + '\n';
    }
    if (const auto found = remote::firstError(all)) {
        out->errorLine = found->line - 1;
        out->error = text(found->text);
        out->meaning = found->sign ? text(found->sign->meaning) : QString();
    }
    out->text = text(all);
    return out;
}

} // namespace

struct JobLogs::Answer {
    std::optional<std::vector<remote::RemoteFile>> files; ///< When they were listed.
    std::vector<remote::TailPiece> pieces;
    std::vector<std::string> paths; ///< Of the pieces.
    std::optional<Error> error;
};

JobLogs::JobLogs(Connections& connections, Jobs& jobs, async::Workers& workers, async::Workers& remoteWorkers, QObject* parent)
    : QObject(parent)
    , m_connections(connections)
    , m_jobs(jobs)
    , m_text(std::make_shared<const LogText>())
    , m_read(remoteWorkers, [this](const std::shared_ptr<const Answer>& answer) { take(*answer); })
    , m_render(workers, [this](LogTextPtr text) {
        m_text = std::move(text);
        Q_EMIT textChanged();
    })
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &JobLogs::ask);
}

void JobLogs::follow(const std::string& job)
{
    if (m_job == job)
        return;
    m_job = job;
    m_read.cancel();
    m_files.clear();
    m_contents.clear();
    m_isListed = false;
    m_trouble.clear();
    Q_EMIT filesChanged();
    render();
    refreshNow();
}

void JobLogs::setFollowed(const QStringList& names)
{
    const store::JobEntry* job = m_jobs.find(m_job);
    if (!job)
        return;
    for (File& file : m_files)
        file.isFollowed = names.contains(file.name);
    for (const QString& name : names) {
        const bool isKnown = std::any_of(m_files.begin(), m_files.end(), [&](const File& file) { return file.name == name; });
        if (isKnown || name.isEmpty())
            continue;
        m_files.push_back({.name = name, .isFollowed = true});
        m_contents.push_back({{remote::outputFolder(*job) + '/' + name.toStdString(), 0}, std::make_shared<const std::string>(), false});
    }
    Q_EMIT filesChanged();
    render();
    refreshNow();
}

void JobLogs::setCollapsed(bool isCollapsed)
{
    if (std::exchange(m_isCollapsed, isCollapsed) != isCollapsed)
        render();
}

void JobLogs::setWatching(bool isWatching)
{
    if (std::exchange(m_isWatching, isWatching) != isWatching && isWatching)
        refreshNow();
    if (!isWatching)
        m_timer.stop();
}

void JobLogs::refreshNow()
{
    if (m_isWatching && !m_job.empty())
        m_timer.start(0);
}

void JobLogs::schedule()
{
    const store::JobEntry* job = m_jobs.find(m_job);
    if (m_isWatching && job && remote::mayChange(*job))
        m_timer.start(interval);
}

void JobLogs::ask()
{
    const store::JobEntry* job = m_jobs.find(m_job);
    if (!job || m_read.isRunning())
        return;
    if (!remote::hasFolder(*job)) {
        m_trouble = tr("The job has no folder on the cluster yet.");
        Q_EMIT stateChanged();
        return schedule();
    }
    std::vector<remote::TailPosition> positions;
    for (std::size_t i = 0; i < m_files.size(); ++i)
        if (m_files[i].isFollowed)
            positions.push_back(m_contents[i].position);
    // Files come while the job runs; until one is followed they are looked for.
    const bool isToList = !m_isListed || positions.empty();
    // Following goes on quietly; only when somebody has just opened the log may ssh ask.
    const bool mayAsk = m_files.empty() && m_trouble.isEmpty();
    m_read.start([transport = m_connections.of(m_jobs.profileOf(*job)), folder = remote::outputFolder(*job), positions, isToList,
                  mayAsk](std::stop_token stop) {
        auto out = std::make_shared<Answer>();
        if (mayAsk) {
            if (auto connected = transport->connect(stop); !connected) {
                out->error = std::move(connected.error());
                return std::shared_ptr<const Answer>(out);
            }
        }
        if (isToList) {
            auto files = remote::remoteFiles(*transport, folder, stop);
            if (files)
                out->files = *std::move(files);
            else if (files.error().code != ErrorCode::NotFound)
                out->error = files.error();
        }
        if (!positions.empty() && !out->error) {
            auto pieces = remote::readTails(*transport, positions, mostKept, stop);
            if (pieces)
                out->pieces = *std::move(pieces);
            else
                out->error = pieces.error();
        }
        for (const remote::TailPosition& position : positions)
            out->paths.push_back(position.path);
        return std::shared_ptr<const Answer>(out);
    });
    Q_EMIT stateChanged();
}

void JobLogs::take(const Answer& answer)
{
    const store::JobEntry* job = m_jobs.find(m_job);
    if (!job)
        return;
    m_trouble = answer.error ? wb::ui::text(answer.error->message) : QString();
    bool isMore = false;
    if (answer.files) {
        const std::string folder = remote::outputFolder(*job);
        m_isListed = !answer.files->empty();
        for (const remote::RemoteFile& remoteFile : *answer.files) {
            if (!remote::isLog(remoteFile.path))
                continue;
            const QString name = wb::ui::text(remoteFile.path);
            if (std::any_of(m_files.begin(), m_files.end(), [&](const File& file) { return file.name == name; }))
                continue;
            const bool isCut = remoteFile.size > mostKept;
            m_files.push_back({.name = name, .size = remoteFile.size, .exists = true, .isCut = isCut});
            m_contents.push_back(
                {{folder + '/' + remoteFile.path, isCut ? remoteFile.size - mostKept : 0}, std::make_shared<const std::string>(), isCut});
        }
        const bool isAny = std::any_of(m_files.begin(), m_files.end(), [](const File& file) { return file.isFollowed; });
        if (!isAny && !m_files.empty()) {
            std::vector<std::string> paths;
            for (const File& file : m_files)
                paths.push_back(file.name.toStdString());
            const QString own = wb::ui::text(remote::ownLog(paths, *job));
            for (File& file : m_files)
                file.isFollowed = file.name == own;
            isMore = true;
        }
        Q_EMIT filesChanged();
    }
    bool isChanged = false;
    for (std::size_t p = 0; p < answer.pieces.size(); ++p) {
        const remote::TailPiece& piece = answer.pieces[p];
        const auto at = std::find_if(m_contents.begin(), m_contents.end(),
                                     [&](const Content& content) { return content.position.path == answer.paths[p]; });
        if (at == m_contents.end())
            continue;
        File& file = m_files[static_cast<std::size_t>(at - m_contents.begin())];
        file.exists = piece.exists;
        file.idleSeconds = piece.idleSeconds;
        if (!piece.exists)
            continue;
        file.size = piece.size;
        std::string bytes = piece.wasReplaced ? std::string() : *at->bytes;
        if (piece.wasReplaced)
            file.isCut = at->isSkipping = false;
        if (piece.bytes.empty() && !piece.wasReplaced)
            continue;
        bytes += piece.bytes;
        if (bytes.size() > 2 * mostKept) {
            bytes.erase(0, bytes.size() - mostKept);
            file.isCut = at->isSkipping = true;
        }
        at->bytes = std::make_shared<const std::string>(std::move(bytes));
        at->position.offset = piece.begin + piece.bytes.size();
        isMore = isMore || at->position.offset < piece.size;
        isChanged = true;
    }
    if (isChanged)
        render();
    Q_EMIT stateChanged();
    if (isMore)
        refreshNow();
    else
        schedule();
}

void JobLogs::render()
{
    std::vector<Part> parts;
    for (std::size_t i = 0; i < m_files.size(); ++i)
        if (m_files[i].isFollowed)
            parts.push_back({m_files[i].name.toStdString(), m_contents[i].bytes, m_contents[i].isSkipping});
    m_render.start([parts, isCollapsed = m_isCollapsed](std::stop_token) { return textOf(parts, isCollapsed); });
}

} // namespace wb::ui
