import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readSettings } from "@parley/server/platform/config/read-settings";
import { readSite } from "@parley/server/platform/docs-site/read-site";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { REPOSITORY } from "../../harness/service-process.ts";

const text = readFileSync(join(REPOSITORY, "deploy/container/Dockerfile"), "utf8");
const instructions = DockerfileParser.parse(text).getInstructions();
/** Those of the image itself, without those of the stage that builds. */
const own = instructions.slice(instructions.findLastIndex((each) => each.getKeyword() === "FROM"));
const removed = (/^RUN rm -rf (.*) \\$/m.exec(text)?.[1] ?? "").split(" ");
const argumentsOf = (keyword: string) =>
  own.filter((each) => each.getKeyword() === keyword).map((each) => each.getArgumentsContent() ?? "");

test("the Dockerfile has no mistake that a parser finds", () => {
  expect(validate(text)).toEqual([]);
  expect(validate("FROM debian\nRUNN true\n")).toHaveLength(1);
});

test("every image it starts from can be replaced by a mirror's", () => {
  const images = instructions.filter((each) => each.getKeyword() === "FROM").map((each) => each.getArgumentsContent());
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the Dockerfile's own placeholder
  expect(images).toEqual(["${DEBIAN} AS build", "${DEBIAN}"]);
});

test("the program runs as an ordinary user, watched, with settings that it accepts", () => {
  expect(argumentsOf("USER")).toEqual(["10001:10001"]);
  expect(argumentsOf("STOPSIGNAL")).toEqual(["SIGTERM"]);
  const pairs = (argumentsOf("ENV")[0] ?? "").split(/\s*\\?\s+/).map((pair) => pair.split("="));
  const settings = readSettings(Object.fromEntries(pairs) as Record<string, string>, "/nowhere");
  expect(argumentsOf("VOLUME")).toEqual([settings.dataDir]);
  expect(argumentsOf("EXPOSE")).toEqual([String(settings.port)]);
  expect([settings.host, settings.telemetry.health?.port]).toEqual(["0.0.0.0", 9464]);
  expect(argumentsOf("HEALTHCHECK")[0]).toContain("/healthz");
});

test("what is started exists, and was not removed as unneeded", () => {
  const started = [...argumentsOf("ENTRYPOINT"), ...argumentsOf("CMD")].flatMap((json) => JSON.parse(json) as string[]);
  const paths = started.map((path) => path.replace("/opt/parley/", ""));
  expect(paths).toEqual(["node_modules/.bin/node", "tools/run.mjs", "server/src/main.ts"]);
  expect(paths.filter((path) => !existsSync(join(REPOSITORY, path)))).toEqual([]);
  expect(removed).toContain("e2e");
  for (const path of removed) {
    const used = paths.some((each) => each.startsWith(`${path.replace("*", "")}/`));
    expect(used, path).toBe(false);
  }
});

test("the documentation can be read from what is left", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-image-"));
  try {
    for (const path of ["docs", "CHANGELOG.md"])
      cpSync(join(REPOSITORY, path), join(folder, path), { recursive: true });
    for (const path of removed) rmSync(join(folder, path), { recursive: true, force: true });
    expect(existsSync(join(folder, "docs/decisions"))).toBe(false);
    const inImage = await readSite(pathToFileURL(`${folder}/`));
    expect([...inImage.pages]).toEqual([...(await readSite()).pages]);
    expect(readdirSync(join(folder, "docs/screenshots"))).toEqual(readdirSync(join(REPOSITORY, "docs/screenshots")));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("secrets, data and packages of the checkout stay out of the image", () => {
  const ignored = readFileSync(join(REPOSITORY, ".dockerignore"), "utf8").trim().split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".git", ".parley", "parley.env", "**/node_modules", "**/dist"]));
});
