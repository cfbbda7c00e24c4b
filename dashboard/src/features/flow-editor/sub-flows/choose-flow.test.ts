import type { SubFlowNode } from "@parley/contract/flow-sub-flow";
import { describe, expect, it } from "vitest";
import { withInput, withSaved, withVersion } from "./choose-flow.ts";
import { outerNode, outerPath, titleOfId } from "./outer-node.ts";

const empty: SubFlowNode = { id: "check", type: "subflow", exits: [] };
const offered = { inputs: ["name"], exits: ["verified", "failed"], saves: ["born"] };
const chosen = { agentId: "agt_1", agentName: "Verify", version: 3, offered };

describe("choosing the flow of a node", () => {
  it("gives the node the exits and the name of the flow", () => {
    expect(withVersion(empty, chosen)).toEqual({
      id: "check",
      type: "subflow",
      label: "Verify",
      agentId: "agt_1",
      version: 3,
      exits: [{ when: "verified" }, { when: "failed" }],
    });
  });

  it("keeps what still fits when a newer version is taken", () => {
    const node: SubFlowNode = {
      ...withVersion(empty, chosen),
      label: "Who is it?",
      exits: [
        { when: "verified", next: "news" },
        { when: "gone", next: "bye" },
      ],
      inputs: [
        { name: "name", value: '"Ada"' },
        { name: "old", value: "1" },
      ],
      saves: [{ name: "gone", saveAs: "x" }],
    };
    expect(withVersion(node, { ...chosen, version: 4 })).toEqual({
      ...{ id: "check", type: "subflow", label: "Who is it?", agentId: "agt_1", version: 4 },
      exits: [{ when: "verified", next: "news" }, { when: "failed" }],
      inputs: [{ name: "name", value: '"Ada"' }],
    });
  });

  it("writes inputs and names, and removes empty ones", () => {
    const node = withSaved(withInput(empty, "name", '"Ada"'), "born", "birthday");
    expect(node).toMatchObject({
      inputs: [{ name: "name", value: '"Ada"' }],
      saves: [{ name: "born", saveAs: "birthday" }],
    });
    expect(withSaved(withInput(node, "name", ""), "born", "")).toEqual(empty);
  });
});

describe("a node in a sub-flow", () => {
  const flow = {
    nodes: [
      { id: "start", type: "start" as const, next: "check" },
      { ...empty, label: "Verify" },
    ],
  };

  it("is shown as the sub-flow, with both titles", () => {
    expect(outerNode(flow, "check__birth_date")?.id).toBe("check");
    expect(outerNode(flow, "other__birth_date")).toBeUndefined();
    expect(titleOfId(flow, "check__inner__birth_date")).toBe("Verify › Inner › Birth date");
    expect(titleOfId(flow, "start")).toBe("Start");
    expect(titleOfId(flow, "gone")).toBe("gone");
  });

  it("is one step of the path together with the others of its sub-flow", () => {
    expect(outerPath(flow, ["start", "check", "check__a", "check__b", "start"])).toEqual(["start", "check", "start"]);
  });
});
