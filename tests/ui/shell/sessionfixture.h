// A session over a folder of its own that goes away with the test.
#pragma once

#include "ui/shell/session.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <gmock/gmock.h>

#include <string>

namespace wb::ui::test {

/// A recipe of one aggregated worker on one node, and with an override one on two.
inline const std::string plainRecipe = R"(name: tiny
model:
  path: hf:Qwen/Qwen3-0.6B
  container: lmsysorg/sglang:latest
  precision: bf16
resources:
  gpu_type: h100
  gpus_per_node: 8
  agg_nodes: 1
  agg_workers: 1
slurm:
  time_limit: "1:00:00"
backend:
  type: sglang
  sglang_config:
    aggregated:
      tensor-parallel-size: 8
benchmark:
  type: sa-bench
  isl: 1024
  osl: 1024
  concurrencies: "4x8"
)";

inline std::string overrideRecipe()
{
    std::string base = "base:\n";
    std::size_t at = 0;
    while (at < plainRecipe.size()) {
        const std::size_t end = plainRecipe.find('\n', at);
        base += "  " + plainRecipe.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return base + "\noverride_two:\n  resources:\n    agg_nodes: 2\n    agg_workers: 2\n\noverride_short:\n  slurm:\n    time_limit: "
                  "\"0:30:00\"\n";
}

class SessionTest : public testing::Test
{
protected:
    explicit SessionTest(const ConnectionOptions& connections = {})
        : session({.dataFolder = folder.path() + QStringLiteral("/data"),
                   .mode = async::Mode::Pool,
                   .environment = {},
                   .connections = connections})
    {
    }

    /// Every job that was started has delivered.
    [[nodiscard]] bool settles()
    {
        return QTest::qWaitFor([this] { return session.workers().isIdle(); }, 20'000);
    }

    QString write(const QString& name, const std::string& bytes)
    {
        const QString path = folder.filePath(name);
        QDir().mkpath(QFileInfo(path).absolutePath());
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(bytes));
        return path;
    }

    [[nodiscard]] static std::string bytesOf(const QString& path)
    {
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
        return file.readAll().toStdString();
    }

    /// Texts of the log, oldest first.
    [[nodiscard]] std::vector<std::string> logged()
    {
        std::vector<std::string> lines;
        for (const LogRow& row : session.log().model().rows())
            lines.push_back(row.text.toStdString());
        return lines;
    }

    QTemporaryDir folder;
    Session session;
};

} // namespace wb::ui::test
