import { beforeEach, expect, test } from "vitest";
import { smallFlow } from "../model/testing/small-flow.ts";
import { browserDrafts, type LocalDraft } from "./local-draft.ts";

let entries: Map<string, string>;
const storage = () =>
  ({
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, text: string) => void entries.set(name, text),
    removeItem: (name: string) => void entries.delete(name),
  }) as unknown as Storage;

beforeEach(() => {
  entries = new Map();
});

const draft: LocalDraft = { revision: 3, flow: smallFlow(), sent: null, fields: { name: "Reminder" }, keptAtMs: 1000 };

test("a stored draft is read back unchanged", () => {
  const drafts = browserDrafts(storage());
  drafts.keep("agent_1", draft);
  expect(drafts.read("agent_1")).toEqual(draft);
  expect(drafts.read("agent_2")).toBeNull();
});

test("a draft without changed fields is read back too", () => {
  const drafts = browserDrafts(storage());
  drafts.keep("agent_1", { ...draft, fields: {}, sent: smallFlow() });
  expect(drafts.read("agent_1")).toEqual({ ...draft, fields: {}, sent: smallFlow() });
});

test.each([
  ["half a text", '{"revision":3,"flow":{'],
  ["no revision", JSON.stringify({ ...draft, revision: undefined })],
  [
    "a flow of another kind",
    JSON.stringify({ ...draft, flow: { ...draft.flow, nodes: [{ id: "start", type: "dance" }] } }),
  ],
  ["something else", '"yes"'],
])("%s is not a draft, and is removed so that the builder opens", (_, text) => {
  entries.set("parley.draft.agent_1", text);
  expect(browserDrafts(storage()).read("agent_1")).toBeNull();
  expect(entries.size).toBe(0);
});
