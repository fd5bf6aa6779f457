#include "core/results/csv.h"
#include "core/results/importer.h"
#include "core/results/point.h"
#include "core/results/pointtable.h"
#include "tests/support/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace wb::results {
namespace {

using testing::ElementsAre;

/// A point with another value in every number.
Point full()
{
    Point p;
    double next = 0.125;
    for (const NumberField& field : numberFields())
        field.slot(p) = next += 1.0;
    p.id.text = "id";
    p.run.text = "run \"x\"";
    p.format = "sa-bench";
    p.source = "/a b/c.json";
    p.document = 3;
    p.folder = "/a b";
    p.simulated = true;
    p.model = "m";
    p.engine = "e";
    p.precision = "fp8";
    p.hardware = "h";
    p.recipe = "r";
    p.variant = "v";
    p.itlPerRequest = true;
    p.gpus.origin = "file name";
    p.valid = false;
    p.reasons = {"one.", "two."};
    p.notes = {"note"};
    p.origins["tpotMs.p50"] = {{}, "median_tpot_ms", "4.0"};
    p.origins["gpus.working"] = {"/other", "key", "raw"};
    return p;
}

TEST(Point, ComesBackFromItsStoredFormWithoutLoss)
{
    for (const Point& point : {full(), Point{.id = {"only"}}}) {
        const auto value = base::json::read(base::json::write(toStoredJson(point), 0));
        ASSERT_TRUE(value);
        const auto back = pointFromJson(*value);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(*back, point);
    }
}

TEST(Point, EveryRealPointComesBackToo)
{
    SRTWB_NEEDS_SHARED("results/real");
    const auto points = importPaths({test::shared("results/real")->string()}).points();
    ASSERT_GE(points.size(), 50U);
    for (const Point& point : points) {
        const auto value = base::json::read(base::json::write(toStoredJson(point), 0));
        ASSERT_TRUE(value);
        EXPECT_EQ(*pointFromJson(*value), point) << point.source;
    }
}

TEST(Point, WhatIsNoPointIsRefused)
{
    EXPECT_FALSE(pointFromJson(*base::json::read("[]")));
    EXPECT_FALSE(pointFromJson(*base::json::read("{}")));
}

TEST(Point, HasExactlyTheKeysOfTheContract)
{
    std::vector<std::string> keys;
    const base::json::Value object = toJson(Point{});
    for (const base::json::Member& member : object.object())
        keys.push_back(member.key);
    EXPECT_THAT(keys,
                ElementsAre("id", "run", "format", "source", "simulated", "model", "engine", "precision", "hardware", "isl", "osl",
                            "concurrency", "users", "requestRate", "completed", "requested", "failed", "durationS", "outputTps", "totalTps",
                            "inputTps", "requestsPerS", "ttftMs", "tpotMs", "itlMs", "e2eMs", "gpus", "valid", "reasons"));
    std::vector<std::string> statistics;
    for (const base::json::Member& member : object.find("itlMs")->object())
        statistics.push_back(member.key);
    EXPECT_THAT(statistics, ElementsAre("mean", "p50", "p90", "p95", "p99"));
    std::vector<std::string> gpus;
    for (const base::json::Member& member : object.find("gpus")->object())
        gpus.push_back(member.key);
    EXPECT_THAT(gpus, ElementsAre("total", "prefill", "decode", "working", "allocated", "origin"));
}

TEST(Point, WhatIsNotKnownIsNullAndNeverZero)
{
    Point p;
    p.outputTps = std::numeric_limits<double>::quiet_NaN();
    p.failed = 0;
    const base::json::Value object = toJson(p);
    EXPECT_TRUE(object.find("isl")->isNull());
    EXPECT_TRUE(object.find("outputTps")->isNull());
    EXPECT_TRUE(object.at({"ttftMs", "p50"})->isNull());
    EXPECT_TRUE(object.at({"gpus", "origin"})->isNull());
    EXPECT_EQ(object.find("failed")->number(), 0.0) << "a true zero stays one";
}

TEST(Point, EachFieldHasItsOwnKeyAndPlace)
{
    std::set<std::string_view> keys;
    std::set<const void*> places;
    Point p;
    for (const NumberField& field : numberFields()) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
        EXPECT_TRUE(places.insert(&field.slot(p)).second) << field.key << " is another row's number";
        EXPECT_FALSE(field.title.empty());
    }
    for (const TextField& field : textFields())
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
}

TEST(Point, FieldsAreReadByKey)
{
    EXPECT_EQ(fieldText(full(), "hardware"), "h");
    EXPECT_EQ(fieldText(full(), "isl"), "1.125");
    EXPECT_EQ(fieldText(full(), "valid"), "false");
    EXPECT_EQ(fieldText(Point{}, "isl"), std::nullopt);
    EXPECT_EQ(fieldText(full(), "nothing"), std::nullopt);
}

TEST(Point, AnOriginWithoutAFileIsThePointsOwn)
{
    EXPECT_EQ(originOf(full(), "tpotMs.p50")->file, "/a b/c.json");
    EXPECT_EQ(originOf(full(), "gpus.working")->file, "/other");
    EXPECT_EQ(originOf(full(), "isl"), std::nullopt);
}

TEST(Point, CsvHasACellForEveryFieldAndNoneForTheUnknown)
{
    const std::vector<Point> points{full(), Point{.id = {"bare"}}};
    const auto rows = readCsv(asCsv(points));
    ASSERT_EQ(rows.size(), 3U);
    for (const CsvRow& row : rows)
        EXPECT_EQ(row.cells.size(), rows[0].cells.size()) << row.line;
    const auto column = std::ranges::find(rows[0].cells, "isl") - rows[0].cells.begin();
    EXPECT_EQ(rows[1].cells[static_cast<std::size_t>(column)], "1.125");
    EXPECT_EQ(rows[2].cells[static_cast<std::size_t>(column)], "");
    EXPECT_EQ(rows[1].cells[1], "run \"x\"");
    EXPECT_EQ(rows[1].cells.back(), "one. two.");
}

TEST(Csv, ReadsQuotesLineBreaksAndBothLineEnds)
{
    const auto rows = readCsv("\xEF\xBB\xBF"
                              "a,\"b, c\",\"d\"\"e\"\r\n\r\n1,,\"x\ny\"\nlast");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_THAT(rows[0].cells, ElementsAre("a", "b, c", "d\"e"));
    EXPECT_THAT(rows[1].cells, ElementsAre("1", "", "x\ny"));
    EXPECT_EQ(rows[1].line, 3U);
    EXPECT_THAT(rows[2].cells, ElementsAre("last"));
    EXPECT_EQ(rows[2].line, 5U);
    EXPECT_TRUE(readCsv("").empty());
}

} // namespace
} // namespace wb::results
