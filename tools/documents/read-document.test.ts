import { expect, test } from "vitest";
import { findLinks, findPaths, findScripts } from "./read-document.ts";

test("links inside the repository are found with their line, external links and anchors are not", () => {
  const text = "See [one](docs/a.md#part)\nand [two](../b.md), [web](https://example.com), [here](#part).";
  expect(findLinks(text)).toEqual([
    { target: "docs/a.md", line: 1 },
    { target: "../b.md", line: 2 },
  ]);
});

test("a path is a word in code style that begins with one of our folders", () => {
  const text = "`server/src/main.ts` `application/json` `/api/v1/calls` `server/src/<name>/a.ts` `server`";
  expect(findPaths(text, new Set(["server"])).map(({ target }) => target)).toEqual(["server/src/main.ts"]);
});

test("an example block is not a claim", () => {
  const text = "```\n[a](gone.md) `server/gone.ts`\n```\n\n`server/here.ts`";
  expect(findLinks(text)).toEqual([]);
  expect(findPaths(text, new Set(["server"]))).toEqual([{ target: "server/here.ts", line: 5 }]);
});

test("scripts are found wherever they are mentioned, including example blocks", () => {
  const text = "```sh\nnpm ci && npm start\n```\n`npm run check` and npm test";
  expect(findScripts(text).map(({ target }) => target)).toEqual(["start", "check", "test"]);
});
