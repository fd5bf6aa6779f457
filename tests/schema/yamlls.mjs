// Tests the exported JSON Schema with the language server that VS Code uses for YAML (npm package yaml-language-server, YAML 1.1):
// no error on recipes that are valid, an error on each recipe that the language's own loader refuses for its shape.
//
//     SRTWB_YAML_LANGUAGE_SERVER=/somewhere/node_modules/yaml-language-server node yamlls.mjs SRTWB SHARED
//
// Exit code 77 says that there was nothing to test with (the package or the corpus is not there), 1 that the schema is wrong.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const skipped = 77;
const here = dirname(fileURLToPath(import.meta.url));
const [program, shared] = process.argv.slice(2);
const folder = process.env.SRTWB_YAML_LANGUAGE_SERVER;

function skip(reason) {
    console.log(`Skipped: ${reason}`);
    process.exit(skipped);
}

if (!folder)
    skip("SRTWB_YAML_LANGUAGE_SERVER does not say where the npm package yaml-language-server is.");
if (!existsSync(join(folder, "package.json")))
    skip(`there is no package in ${folder}.`);
if (!existsSync(join(shared, "corpus")))
    skip(`there is no corpus below ${shared}.`);

const require = createRequire(join(folder, "package.json"));
const { getLanguageService } = require("./out/server/src/languageservice/yamlLanguageService.js");
const { SettingsState } = require("./out/server/src/yamlSettings.js");
const { TextDocument } = require("vscode-languageserver-textdocument");

// The server calls errors of YAML errors (1) and problems with the schema warnings (2).
const leastSevere = 2;

function serviceFor(pack) {
    const schema = JSON.parse(execFileSync(program, ["schema", "--pack", pack, "--format", "json-schema"], { maxBuffer: 1 << 28 }));
    const service = getLanguageService({
        schemaRequestService: (uri) => Promise.reject(new Error(`nothing is fetched: ${uri}`)),
        workspaceContext: { resolveRelativePath: (path) => path },
        yamlSettings: new SettingsState(),
    });
    service.configure({
        validate: true,
        yamlVersion: "1.1",
        schemas: [{ uri: `srtwb://${pack}.json`, fileMatch: ["*.yaml"], schema }],
    });
    return service;
}

function problemsOf(service, path) {
    return problemsIn(service, path, readFileSync(path, "utf8"));
}

async function problemsIn(service, path, text) {
    const document = TextDocument.create(`file://${path}`, "yaml", 0, text);
    const found = await service.doValidation(document, false);
    return found
        .filter((problem) => (problem.severity ?? 1) <= leastSevere)
        .map((problem) => `${problem.range.start.line + 1}: ${problem.message.replaceAll("\n", " ")}`);
}

function filesBelow(folder) {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
        .sort();
}

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const exceptions = readJson(join(here, "yamlls-exceptions.json"));
const failures = [];
const counts = { valid: 0, refused: 0, excepted: 0, left: 0 };

/// Each file must be free of errors, unless the table of exceptions says why it is not.
async function expectValid(service, pack, paths) {
    for (const path of paths) {
        const errors = await problemsOf(service, path);
        const name = path.slice(join(shared, "corpus").length + 1);
        const reason = exceptions[pack].reportedThoughValid[name];
        if (errors.length > 0 && !reason)
            failures.push(`${name} is valid, but: ${errors.slice(0, 3).join(" | ")}`);
        else if (errors.length === 0 && reason)
            failures.push(`${name} is an exception that needs none any more.`);
        else
            ++counts[reason ? "excepted" : "valid"];
    }
}

/// Each file must have an error, unless the table of exceptions says why it has none.
async function expectRefused(service, pack, files) {
    for (const { id, path } of files) {
        const errors = await problemsOf(service, path);
        const reason = exceptions[pack].acceptedThoughInvalid[id];
        if (errors.length === 0 && !reason)
            failures.push(`${id} (${path}) is invalid, and nothing is reported.`);
        else if (errors.length > 0 && reason)
            failures.push(`${id} is an exception that needs none any more: ${errors[0]}`);
        else
            ++counts[reason ? "excepted" : "refused"];
    }
}

async function testFirstLanguage() {
    const service = serviceFor("v1");
    const corpus = join(shared, "corpus", "v1");
    const golden = join(corpus, "golden", "gb200");
    const valid = readdirSync(golden)
        .map((name) => readJson(join(golden, name)))
        .filter((facts) => facts.valid)
        .map((facts) => join(corpus, facts.recipe));
    await expectValid(service, "v1", valid.sort());
    const invalid = readJson(join(corpus, "invalid", "manifest.json")).filter((entry) => entry.upstream_error_class?.startsWith("schema:"));
    await expectRefused(
        service,
        "v1",
        invalid.map((entry) => ({ id: entry.id, path: join(corpus, "invalid", entry.file) })),
    );
}

/// Published recipes of schema 2 but for those that are in an older draft, and the cases whose verdict the shape decides.
async function testSecondLanguage() {
    const service = serviceFor("v2");
    const corpus = join(shared, "corpus", "v2");
    const published = ["recipes/upstream", "recipes/inferencex"].flatMap((folder) => filesBelow(join(corpus, folder)));
    const pairs = filesBelow(join(corpus, "pairs")).filter((path) => /\/v2[^/]*$/.test(path));
    await expectValid(service, "v2", [...published, ...pairs]);
    for (const [index, { name, recipe, valid }] of readJson(join(corpus, "cases.json")).entries()) {
        const errors = await problemsIn(service, `case${index}.yaml`, recipe);
        if (valid && errors.length > 0)
            failures.push(`the case "${name}" is valid, but: ${errors.slice(0, 3).join(" | ")}`);
        else
            ++counts[valid ? "valid" : errors.length > 0 ? "refused" : "left"];
    }
}

async function testClusterFiles(pack) {
    const service = serviceFor(pack);
    const folder = join(shared, "corpus", "clusters");
    await expectValid(service, pack, filesBelow(folder).filter((path) => !path.endsWith("upstream-example.yaml")));
    await expectRefused(service, pack, [{ id: "upstream-example", path: join(folder, "upstream-example.yaml") }]);
}

await testFirstLanguage();
await testSecondLanguage();
await testClusterFiles("cluster");
await testClusterFiles("cluster-v2");

console.log(`${counts.valid} valid files without an error, ${counts.refused} invalid ones refused, ${counts.excepted} exceptions, ` +
    `${counts.left} cases that only rules refuse.`);
for (const failure of failures)
    console.log(failure);
process.exit(failures.length === 0 ? 0 : 1);
