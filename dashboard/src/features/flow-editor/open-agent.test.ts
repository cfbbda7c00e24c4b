import type { Agent } from "@parley/contract/agents";
import { expect, it } from "vitest";
import { replaceNode } from "./model/edit-flow.ts";
import { smallFlow } from "./model/testing/small-flow.ts";
import { takeUpDraft } from "./open-agent.ts";
import type { LocalDraft } from "./versions/local-draft.ts";

const saying = (text: string) => replaceNode(smallFlow(), { id: "bye", type: "end", text });
const agentAt = (revision: number, text: string) => ({ id: "agt_1", revision, flow: saying(text) }) as unknown as Agent;
const kept: LocalDraft = { revision: 4, flow: saying("Third."), sent: saying("Second."), fields: {}, keptAtMs: 0 };

it("restores nothing if the service has it all, however it orders the fields", () => {
  const agent = agentAt(5, "Third.");
  const turned = agent.flow.nodes.map((node) => Object.fromEntries(Object.entries(node).toReversed()));
  expect(takeUpDraft({ ...agent, flow: { ...agent.flow, nodes: turned } } as Agent, kept)).toBeNull();
  expect(takeUpDraft(agent, null)).toBeNull();
});

it("continues from a save that arrived after the page was closed", () => {
  expect(takeUpDraft(agentAt(5, "Second."), kept)).toEqual({ ...kept, revision: 5 });
});

it("keeps its base revision if another member saved first", () => {
  expect(takeUpDraft(agentAt(5, "Theirs."), kept)?.revision).toBe(4);
  expect(takeUpDraft(agentAt(6, "Second."), kept)?.revision).toBe(4);
  expect(takeUpDraft(agentAt(4, "First."), kept)).toEqual(kept);
});
