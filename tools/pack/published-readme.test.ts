import { expect, test } from "vitest";
import { publishedReadme } from "./published-readme.ts";

test("links into the repository name where an installation serves the document; others stay", () => {
  expect(
    publishedReadme(
      "The client of [Parley](../../README.md), for [n8n](https://n8n.io). The [guide](../../docs/guides/mcp.md#tools) is in [docs/guides/sdks.md](../../docs/guides/sdks.md).",
    ),
  ).toBe(
    "The client of Parley, for [n8n](https://n8n.io). The guide (`/docs/guides/mcp` of your Parley service) is in `/docs/guides/sdks` of your Parley service.",
  );
});
