import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRoutedPages } from "../routed-pages.ts";

/** What other files test by keyboard. */
const ELSEWHERE: readonly { readonly file: string; readonly story: string }[] = [
  {
    file: "barriers.test.ts",
    story: "a dialog takes the focus, gives it back, and a call in the list is opened with Enter",
  },
  { file: "settings.thorough.test.ts", story: "a number is put on it by keyboard alone" },
  { file: "builder.test.ts", story: "what is deleted comes back by undo, and what was duplicated goes away by it" },
];

test.each(ELSEWHERE)("$file tells that $story", async ({ file, story }) => {
  expect(await readFile(join(import.meta.dirname, "..", file), "utf8")).toContain(`"${story}"`);
});

test("no page of the dashboard is left out here", async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".test.ts"));
  const sources = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), "utf8")));
  const routes = sources.flatMap((source) =>
    [...source.matchAll(/^ {4}route: "([^"]+)",$/gm)].map(([, route]) => route),
  );
  const shown = new Set(["/sign-up", ...routes]);
  expect((await readRoutedPages()).filter((routed) => !shown.has(routed))).toEqual([]);
});
