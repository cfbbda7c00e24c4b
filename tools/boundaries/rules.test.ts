import { expect, test } from "vitest";
import { checkDeclaredPackages, checkWorkspaceImports } from "./rules.ts";

const rulesBroken = (path: string, line: string) => checkWorkspaceImports({ path, text: line }).map(({ rule }) => rule);

test.each([
  ["contract/src/a.ts", "@parley/server/b"],
  ["telephony/src/a.ts", "@parley/contract/calls"],
  ["voice/src/a.ts", "@parley/telephony/carrier"],
  ["providers/src/acme/a.ts", "@parley/voice/turns/turn-machine"],
  ["server/src/a.ts", "@parley/dashboard/app"],
  ["server/src/a.ts", "@parley/e2e/a"],
  ["dashboard/src/a.ts", "@parley/server/a"],
  ["tools/a.ts", "@parley/voice/a"],
])("%s may not import %s", (path, specifier) => {
  const own = path.split("/")[0];
  expect(rulesBroken(path, `import { a } from "${specifier}";`)).toEqual([`${own} may not import ${specifier}`]);
});

test.each([
  ["telephony/src/a.ts", "@parley/audio/frame"],
  ["voice/src/a.ts", "@parley/contract/flow"],
  ["providers/src/acme/a.ts", "@parley/voice/ports/stt"],
  ["providers/src/acme/a.ts", "@parley/telephony/carrier"],
  ["server/src/a.ts", "@parley/providers/registry"],
  ["e2e/a.test.ts", "@parley/server/start/all"],
  ["contract/src/a.ts", "./b.ts"],
  ["contract/src/a.ts", "zod"],
])("%s may import %s", (path, specifier) => {
  expect(rulesBroken(path, `import { a } from "${specifier}";`)).toEqual([]);
});

test("a neighbour whose name has the same prefix is not the allowed one", () => {
  expect(rulesBroken("providers/src/a.ts", 'import { a } from "@parley/telephony/carrier-rig";')).toHaveLength(1);
});

test("no path leaves its workspace, even if the import itself is allowed", () => {
  const [rule] = rulesBroken("server/src/calls/a.ts", 'import { a } from "../../../contract/src/calls.ts";');
  expect(rule).toContain("import it as @parley/contract/...");
});

test("the offending line is named", () => {
  const text = 'import { z } from "zod";\nimport { b } from "@parley/server/b";';
  expect(checkWorkspaceImports({ path: "contract/src/a.ts", text })[0]?.line).toBe(2);
});

test("a new workspace needs a rule before it may hold code", () => {
  expect(rulesBroken("surprise/src/a.ts", "")).toEqual(["surprise has no rule about what it may import"]);
});

test("a package that only another workspace installed is refused", () => {
  const check = (line: string) => checkDeclaredPackages({ path: "voice/src/a.ts", text: line }, new Set(["zod"]));
  expect(check('import pino from "pino";')).toHaveLength(1);
  expect(check('import x from "@scope/name/deep";')[0]?.rule).toContain("@scope/name is not");
  expect(check('import { z } from "zod/mini";')).toEqual([]);
  expect(check('import { join } from "node:path";')).toEqual([]);
});
