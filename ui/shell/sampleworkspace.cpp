#include "ui/shell/sampleworkspace.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

namespace wb::ui {

namespace {

/// Copies what is not there yet.
bool copyTree(const QString& from, const QString& to)
{
    bool isWhole = QDir().mkpath(to);
    QDirIterator files(from, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString source = files.next();
        const QString target = QDir(to).filePath(QDir(from).relativeFilePath(source));
        if (QFileInfo::exists(target))
            continue;
        if (!QDir().mkpath(QFileInfo(target).absolutePath()) || !QFile::copy(source, target)) {
            isWhole = false;
            continue;
        }
        QFile::setPermissions(target, QFile::permissions(target) | QFile::WriteOwner | QFile::ReadOwner);
    }
    return isWhole;
}

QString firstFile(const QString& folder, const QStringList& names, QDirIterator::IteratorFlags flags)
{
    QStringList found;
    QDirIterator files(folder, names, QDir::Files, flags);
    while (files.hasNext())
        found += files.next();
    found.sort();
    return found.value(0);
}

} // namespace

QString shareFolder()
{
    const QString installed = QDir::cleanPath(QCoreApplication::applicationDirPath() + QStringLiteral("/../share/srt-workbench"));
    if (QFileInfo(installed).isDir())
        return installed;
    const QString source = QStringLiteral(SRTWB_SOURCE_DIR);
    return QFileInfo(source + QStringLiteral("/recipes")).isDir() ? source : QString();
}

Result<SampleWorkspace> sampleWorkspace(const QString& share, const QString& dataFolder)
{
    if (share.isEmpty())
        return failure(ErrorCode::NotFound, "The sample workspace is not installed: there is no share/srt-workbench beside the program.");
    SampleWorkspace out;
    const QString root = dataFolder + QStringLiteral("/Sample workspace");
    const QString resultsSource =
        share + (QFileInfo(share + QStringLiteral("/samples/results")).isDir() ? QStringLiteral("/samples/results")
                                                                               : QStringLiteral("/resources/samples/results"));
    out.folder = root + QStringLiteral("/recipes"); // Results keep resolved recipes beside them, which are not the user's to edit.
    const bool isNew = !QFileInfo::exists(root);
    if (isNew && !copyTree(share + QStringLiteral("/recipes"), out.folder))
        return failure(ErrorCode::Denied, "The sample workspace could not be written to \"" + root.toStdString() + "\".");
    if (QFileInfo(resultsSource).isDir()) {
        out.results = root + QStringLiteral("/results");
        if (isNew && !copyTree(resultsSource, out.results))
            return failure(ErrorCode::Denied, "The sample results could not be written to \"" + out.results.toStdString() + "\".");
    }
    const QString preferred = out.folder + QStringLiteral("/dsr1-disagg-chunked-prefill.yaml");
    out.first = QFileInfo::exists(preferred) ? preferred : firstFile(out.folder, {QStringLiteral("*.yaml")}, QDirIterator::NoIteratorFlags);
    out.cluster = firstFile(out.folder, {QStringLiteral("srtslurm*.yaml")}, QDirIterator::Subdirectories);
    return out;
}

} // namespace wb::ui
