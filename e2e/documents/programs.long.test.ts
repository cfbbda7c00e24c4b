import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REPOSITORY } from "../harness/service-process.ts";
import { type InstalledPython, installPythonSdk } from "../sdk/install-sdks.ts";
import { runProgram } from "../sdk/run-program.ts";
import { GUIDE_PROGRAMS } from "./guide-programs.ts";
import { programsOf, ReaderProject, readDocument } from "./reader-project.ts";

let reader: ReaderProject;
let python: InstalledPython;
beforeAll(async () => {
  reader = await ReaderProject.open();
  python = await installPythonSdk(reader.folder);
}, 300_000);
afterAll(() => reader?.close());

describe.each(Object.entries(GUIDE_PROGRAMS))("the programs of %s", (path, expected) => {
  const programs = programsOf(path);

  test("are these", () => {
    expect([...programs.keys()]).toEqual(Object.keys(expected));
  });

  test.each(Object.entries(expected))("%s does what the guide says", async (name, printed) => {
    const interpreter = name.endsWith(".py") ? [python.python] : undefined;
    expect(await reader.run(name, programs.get(name) ?? "", interpreter)).toMatch(printed);
  });
});

test("the Python of guides, recipes and READMEs passes mypy in strict mode", async () => {
  // A fragment may use what the reader's program has already.
  const given =
    "import os\n\n\nclass _Request:\n    headers: dict[str, str] = {}\n\n\nrequest = _Request()\nbody = b''\n\n";
  const documents = globSync(["docs/{guides,recipes}/*.md", "sdk/*/README.md", "README.md"], { cwd: REPOSITORY });
  const snippets = documents.flatMap(readDocument).filter(({ language }) => language === "python");
  expect(snippets.length).toBeGreaterThan(4);
  const files = snippets.map(({ path, line, text }) => {
    const file = join(reader.folder, `${path.replaceAll(/\W/g, "_")}_${line}.py`);
    writeFileSync(file, /\b(?:body|request)\b/.test(text) ? given + text : text);
    return file;
  });
  const mypy = ["--strict", "--python-executable", python.python, "--cache-dir", join(reader.folder, "mypy")];
  for (const file of files)
    expect(await runProgram("/usr/bin/mypy", [...mypy, file], { cwd: reader.folder })).toContain("Success");
});
