import { EMPTY_FLOW, type Flow } from "@parley/contract/flow";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { meQuery } from "../../api/sign-in-state.ts";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { keysQuery } from "../settings/api-keys/key-queries.ts";
import { openingLine, useSteps } from "./first-steps.tsx";

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

function OwnSteps() {
  const { hasKey, hasCalled, isOpen } = useSteps();
  if (isOpen === null) return null;
  return (
    <p>
      {hasKey ? "has a key" : "has no key"}, {hasCalled ? "has called" : "has not called"}
    </p>
  );
}

const ADA = { id: "mem_ada", email: "ada@example.com" };
/** In the order of the list of keys. Ben is a colleague, and nobody is the installation. */
const KEYS = {
  nobody: { id: "key_first", createdBy: null, lastUsedAt: "2026-01-31T09:00:00Z" },
  ben: { id: "key_ben", createdBy: "ben@example.com", lastUsedAt: "2026-01-31T09:00:00Z" },
  ada: { id: "key_ada", createdBy: ADA.email, lastUsedAt: "2026-01-31T09:00:00Z" },
};

/** Shows the steps of Ada in an account with these keys, where these have placed test calls. */
function showSteps(keys: readonly (keyof typeof KEYS)[], callers: readonly string[]): void {
  vi.stubGlobal("fetch", async (address: string) => {
    const { searchParams } = new URL(address, "http://dashboard.example");
    const placer = searchParams.get("memberId") ?? searchParams.get("apiKeyId");
    const hasCalls = placer === null ? callers.length > 0 : callers.includes(placer);
    return Response.json({ success: true, data: hasCalls ? [{ id: "call_1" }] : [], nextCursor: null });
  });
  const queries = createTestQueries();
  queries.setQueryData(meQuery.queryKey, { member: ADA, account: { id: "acct_1" } } as never);
  queries.setQueryData(keysQuery.queryKey, {
    pages: [{ rows: keys.map((name) => KEYS[name]), nextCursor: null }],
    pageParams: [undefined],
  } as never);
  renderWithQueries(<OwnSteps />, queries);
}

test.each([
  ["has no key", ["nobody"]],
  ["has no key", ["nobody", "ben"]],
  ["has a key", ["nobody", "ben", "ada"]],
] as const)("%s: of %j, only a key of the member's own is a step", async (words, keys) => {
  showSteps(keys, []);
  await screen.findByText(`${words}, has not called`);
});

test.each([
  ["has not called", ["mem_ben", "key_ben", "key_first"]],
  ["has called", ["mem_ben", ADA.id]],
  ["has called", [KEYS.ada.id]],
])("%s: of the test calls of %j, only those that the member placed are a step", async (words, callers) => {
  showSteps(["nobody", "ben", "ada"], callers);
  await screen.findByText(`has a key, ${words}`);
});
