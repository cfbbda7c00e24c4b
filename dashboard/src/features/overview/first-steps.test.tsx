import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { meQuery } from "../../api/sign-in-state.ts";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { keysQuery } from "../settings/api-keys/key-queries.ts";
import { openingLine, useSteps } from "./first-steps.tsx";
import { hasTestCallQuery } from "./usage-queries.ts";

const flowOf = (...nodes: Flow["nodes"]): Flow => ({ ...EMPTY_FLOW, nodes });

test("the first words of an agent are those of the first step that speaks", () => {
  const flow = flowOf(
    { id: "bye", type: "end", text: "Goodbye." },
    { id: "start", type: "start", next: "note" },
    { id: "note", type: "set", set: [], next: "hello" } as unknown as Flow["nodes"][number],
    { id: "hello", type: "say", text: "Hello {{name}}.", next: "bye" },
  );
  expect(openingLine(flow)).toBe("Hello {{name}}.");
});

test("a flow with a cycle or a dead end has no first words, and does not hang the page", () => {
  expect(openingLine(flowOf())).toBeNull();
  const circle = flowOf({ id: "start", type: "start", next: "a" }, {
    id: "a",
    type: "set",
    set: [],
    next: "start",
  } as unknown as Flow["nodes"][number]);
  expect(openingLine(circle)).toBeNull();
});

function KeyStep() {
  return <p>{useSteps().hasKey ? "has a key" : "has no key"}</p>;
}

test.each([
  ["has no key", [null]],
  ["has no key", [null, "ben@example.com"]],
  ["has a key", [null, "ben@example.com", "ada@example.com"]],
])("of keys that the installation, a colleague and the member created, the member %s", async (words, creators) => {
  const queries = createTestQueries();
  vi.stubGlobal("fetch", async () => Response.json({ data: [], nextCursor: null }));
  queries.setQueryData(meQuery.queryKey, { member: { email: "ada@example.com" }, account: { id: "acct_1" } } as never);
  queries.setQueryData(hasTestCallQuery.queryKey, false);
  queries.setQueryData(keysQuery.queryKey, {
    pages: [{ rows: creators.map((createdBy, index) => ({ id: `key_${index}`, createdBy })), nextCursor: null }],
    pageParams: [undefined],
  } as never);
  renderWithQueries(<KeyStep />, queries);
  await screen.findByText(words);
});
