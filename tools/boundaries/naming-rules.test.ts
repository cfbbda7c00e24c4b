import { expect, test } from "vitest";
import { checkBarrels, checkFolderNames } from "./naming-rules.ts";

test("a folder with a meaningless name is refused, a file of that name is not", () => {
  expect(checkFolderNames({ path: "server/src/utils/a.ts", text: "" })).toHaveLength(1);
  expect(checkFolderNames({ path: "server/src/calls/helpers/a.ts", text: "" })).toHaveLength(1);
  expect(checkFolderNames({ path: "server/src/calls/common.ts", text: "" })).toEqual([]);
});

test("index files and wholesale re-exports are refused", () => {
  expect(checkBarrels({ path: "voice/src/index.ts", text: "" })).toHaveLength(1);
  const [found] = checkBarrels({ path: "voice/src/all.ts", text: 'const a = 1;\nexport * from "./b.ts";' });
  expect(found?.line).toBe(2);
  expect(checkBarrels({ path: "voice/src/reindex.ts", text: 'export { a } from "./b.ts";' })).toEqual([]);
});
