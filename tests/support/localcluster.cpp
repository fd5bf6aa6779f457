#include "tests/support/localcluster.h"

#include "core/base/shell.h"
#include "core/base/text.h"
#include "tests/support/corpus.h"

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace wb::test {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view sbatch = R"sh(#!/bin/sh
f=$FAKE_SLURM
case " $* " in *" --test-only "*)
    echo "sbatch: Job 9 to start at 2030-01-01T00:00:00 using 16 processors on nodes node1 in partition gpu" >&2
    exit 0;;
esac
[ ! -s "$f/refuse" ] || { cat "$f/refuse" >&2; exit 1; }
for word; do
    case $word in --comment=*) comment=${word#--comment=};; esac
    script=$word
done
id=$(($(cat "$f/last") + 1))
echo $id >"$f/last"
name=$(sed -n 's/^#SBATCH --job-name=//p' "$script" | head -n 1 | tr -d "\"'")
printf '%s\n%s\n%s\n' "$(cat "$f/first-state")" "$comment" "$name" >"$f/jobs/$id"
dir=$PWD
. "$f/body" >/dev/null 2>&1
echo $id
)sh";

constexpr std::string_view srtctl = R"sh(#!/bin/sh
[ "$1" != --version ] || { echo "srtctl 1.4.0"; exit 0; }
comment=$(sed -n "s/.*comment: *[\"']*\([^\"' }]*\).*/\1/p" "$3")
name=$(sed -n 's/^name: *//p' "$3" | head -n 1 | tr -d "\"'")
mkdir -p out/logs
printf '#!/bin/sh\n#SBATCH --job-name=%s\n' "$name" >job.sh
id=$(sbatch --parsable --comment="$comment" job.sh) || exit 1
printf '{"status": "submitted", "slurm_job_id": "%s", "job_name": "%s", "output_dir": "%s"}\n' "$id" "$name" "$PWD/out"
)sh";

constexpr std::string_view squeue = R"sh(#!/bin/sh
f=$FAKE_SLURM
while [ $# -gt 0 ]; do
    case $1 in
    -j) ids=$2; shift;;
    -o) format=$2; shift;;
    -t | -u) shift;;
    esac
    shift
done
now=$(date +%s)
for file in "$f"/jobs/*; do
    [ -f "$file" ] || continue
    id=${file##*/}
    case ,$ids, in ,, | *,$id,*) ;; *) continue;; esac
    { read -r state; read -r comment; read -r name; } <"$file"
    case $state in
    PENDING) start=$((now + 600)) end=N/A reason=Priority;;
    RUNNING) start=$((now - 60)) end=N/A reason=None;;
    *) start=$((now - 120)) end=$((now - 60)) reason=None;;
    esac
    case $format in
    '%i|%k') echo "$id|$comment";;
    %T) echo "$state";;
    *) echo "$id|$state|$reason|$((now - 300))|$start|$end|node1|$name";;
    esac
done
)sh";

constexpr std::string_view scontrol = R"sh(#!/bin/sh
case "$*" in
*"show partition"*) echo "PartitionName=gpu AllowGroups=ALL Default=YES MaxNodes=UNLIMITED MaxTime=UNLIMITED State=UP TotalNodes=4";;
*"show job"*)
    for id; do :; done
    [ -f "$FAKE_SLURM/jobs/$id" ] || { echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1; }
    code=0:0
    case $(head -n 1 "$FAKE_SLURM/jobs/$id") in FAILED) code=3:0;; esac
    echo "JobId=$id JobName=x JobState=$(head -n 1 "$FAKE_SLURM/jobs/$id") Reason=None ExitCode=$code NodeList=node1";;
esac
)sh";

constexpr std::string_view scancel = R"sh(#!/bin/sh
for id; do :; done
sed -i '1s/.*/CANCELLED/' "$FAKE_SLURM/jobs/$id"
)sh";

void writeProgram(const std::string& path, std::string_view text)
{
    std::ofstream(path) << text;
    fs::permissions(path, fs::perms::owner_all);
}

} // namespace

LocalCluster::LocalCluster()
{
    for (const char* each : {"bin", "slurm/jobs", "home", "tmp"})
        fs::create_directories(m_folder.below(each));
    const std::string bin = m_folder.below("bin/");
    writeProgram(bin + "sbatch", sbatch);
    writeProgram(bin + "squeue", squeue);
    writeProgram(bin + "scontrol", scontrol);
    writeProgram(bin + "scancel", scancel);
    writeProgram(bin + "sacct", "#!/bin/sh\necho 'Slurm accounting storage is disabled' >&2\nexit 1\n");
    writeProgram(bin + "sacctmgr", "#!/bin/sh\nexit 1\n");
    writeProgram(bin + "sinfo", "#!/bin/sh\n[ \"$1\" != -V ] || { echo 'slurm 22.05.8'; exit 0; }\necho 'gpu|4|gpu:h100:8|infinite'\n");
    (void)m_folder.put("slurm/last", "100\n");
    (void)m_folder.put("slurm/body", "");
    setFirstState("PENDING");
}

void LocalCluster::setFirstState(const std::string& state) const
{
    (void)m_folder.put("slurm/first-state", state + '\n');
}

void LocalCluster::setState(const std::string& jobId, const std::string& state) const
{
    const std::string before = bytesOf(m_folder.below("slurm/jobs/" + jobId));
    (void)m_folder.put("slurm/jobs/" + jobId, state + before.substr(before.find('\n')));
}

std::string LocalCluster::state(const std::string& jobId) const
{
    const std::string all = bytesOf(m_folder.below("slurm/jobs/" + jobId));
    return all.substr(0, all.find('\n'));
}

void LocalCluster::forget(const std::string& jobId) const
{
    fs::remove(m_folder.below("slurm/jobs/" + jobId));
}

void LocalCluster::refuse(const std::string& words) const
{
    (void)m_folder.put("slurm/refuse", words);
}

void LocalCluster::setBody(const std::string& lines) const
{
    (void)m_folder.put("slurm/body", lines);
}

void LocalCluster::takeSrtctl() const
{
    writeProgram(m_folder.below("bin/srtctl"), srtctl);
}

void LocalCluster::setError(const std::optional<Error>& error)
{
    const std::scoped_lock lock(m_mutex);
    m_error = error;
}

std::optional<Error> LocalCluster::error() const
{
    const std::scoped_lock lock(m_mutex);
    return m_error;
}

std::vector<std::string> LocalCluster::titles() const
{
    const std::scoped_lock lock(m_mutex);
    return m_titles;
}

std::size_t LocalCluster::jobCount() const
{
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(m_folder.below("slurm/jobs")), fs::directory_iterator()));
}

Result<void> LocalCluster::connect(std::stop_token /*stop*/)
{
    if (const auto wrong = error())
        return tl::unexpected<Error>(*wrong);
    return {};
}

Result<remote::RemoteOutcome> LocalCluster::run(const remote::RemoteCommand& command, std::stop_token stop)
{
    unsigned number = 0;
    {
        const std::scoped_lock lock(m_mutex);
        m_titles.push_back(command.title);
        number = m_count++;
        if (m_error)
            return tl::unexpected<Error>(*m_error);
    }
    if (stop.stop_requested())
        return failure(ErrorCode::Cancelled, "Cancelled: " + command.title + '.');
    const std::string name = "tmp/" + std::to_string(number);
    const std::string script = m_folder.put(name + ".sh", command.script);
    const std::string input = m_folder.put(name + ".in", command.input);
    const std::string out = m_folder.below(name + ".out");
    const std::string err = m_folder.below(name + ".err");
    // setsid: as sshd starts it, the script leads a group of its own.
    const std::string line = "cd " + base::shellQuoted(home()) + " && HOME=" + base::shellQuoted(home()) +
                             " FAKE_SLURM=" + base::shellQuoted(m_folder.below("slurm")) +
                             " PATH=" + base::shellQuoted(m_folder.below("bin")) + ":/usr/bin:/bin setsid -w /bin/sh " +
                             base::shellQuoted(script) + " <" + base::shellQuoted(input) + " >" + base::shellQuoted(out) + " 2>" +
                             base::shellQuoted(err);
    const int status = std::system(line.c_str());
    return remote::RemoteOutcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128, bytesOf(out), bytesOf(err), {}};
}

} // namespace wb::test
