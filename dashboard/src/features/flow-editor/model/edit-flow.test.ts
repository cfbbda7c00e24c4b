import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { removeSelected } from "../canvas/use-keyboard-shortcuts.ts";
import * as edit from "./edit-flow.ts";
import { NODE_KINDS, titleOf } from "./node-kinds.ts";
import { nodeOf, smallFlow } from "./testing/small-flow.ts";

describe("editing a flow", () => {
  it("adds a node with an unused id", () => {
    const once = edit.addNode(smallFlow(), "end", { x: 1.4, y: 2 });
    expect(once.id).toBe("end");
    expect(edit.addNode(once.flow, "end", { x: 0, y: 0 }).id).toBe("end_2");
  });

  it.each(NODE_KINDS)("calls a new node by its name in the palette: $name", ({ type, name }) => {
    const { flow, id } = edit.addNode({ ...smallFlow(), nodes: [] }, type, { x: 0, y: 0 });
    expect(titleOf(nodeOf(flow, id)).toLowerCase()).toBe(name.toLowerCase().replace("-", " "));
  });

  it("keeps the identity of everything it does not touch", () => {
    const flow = smallFlow();
    const changed = edit.replaceNode(flow, { id: "bye", type: "end", text: "Goodbye." });
    expect(changed.nodes[1]).toBe(flow.nodes[1]);
    expect(changed.nodes[2]).not.toBe(flow.nodes[2]);
    const connected = edit.connect(flow, "coming", "otherwise", "bye");
    expect(connected.nodes[3]).toBe(flow.nodes[3]);
  });

  it("removes the lines along with nodes, including that of a phone menu", () => {
    const flow = { ...smallFlow(), settings: { phoneMenu: "sorry" } };
    const left = edit.removeNodes(flow, new Set(["sorry"]));
    expect(left.nodes.map(({ id }) => id)).toEqual(["start", "coming", "bye"]);
    expect(nodeOf(left, "coming")).toMatchObject({ exits: [{ when: "yes", next: "bye" }, { when: "no" }] });
    expect(nodeOf(left, "coming")).not.toHaveProperty("otherwise");
    expect(left.settings).toEqual({});
    expect(left.nodes[0]).toBe(flow.nodes[0]);
  });

  it("keeps only the matching answers when a question changes its kind", () => {
    const asks = (answer: "date" | "yes_no" | "choice", flow = smallFlow()) => {
      const coming = nodeOf(flow, "coming");
      if (coming.type !== "ask") throw new Error("not a question");
      return edit.replaceNode(flow, { ...coming, answer });
    };
    expect(nodeOf(asks("date"), "coming")).toMatchObject({ answer: "date", exits: [] });
    expect(nodeOf(asks("choice"), "coming")).toMatchObject({ exits: [{ when: "yes" }, { when: "no" }] });
    expect(nodeOf(asks("yes_no", asks("date")), "coming")).toMatchObject({ exits: [{ when: "yes" }, { when: "no" }] });
  });

  it("allows nothing to lead to a start or to a voicemail message", () => {
    const flow = edit.addNode(smallFlow(), "voicemail", { x: 0, y: 0 }).flow;
    expect(edit.connect(flow, "coming", "otherwise", "start")).toBe(flow);
    expect(edit.connect(flow, "coming", "otherwise", "voicemail")).toBe(flow);
    expect(edit.connect(flow, "coming", "otherwise", "gone")).toBe(flow);
  });

  it("renames a node together with all references to it", () => {
    const renamed = edit.renameNode({ ...smallFlow(), settings: { phoneMenu: "sorry" } }, "sorry", "pity");
    expect(renamed).not.toBeNull();
    if (!renamed) return;
    expect(nodeOf(renamed, "coming")).toMatchObject({ exits: [{}, { next: "pity" }], otherwise: "pity" });
    expect(renamed.settings?.phoneMenu).toBe("pity");
    expect(edit.renameNode(smallFlow(), "sorry", "bye")).toBeNull();
    expect(edit.renameNode(smallFlow(), "sorry", "No Name")).toBeNull();
  });

  it("renames what a sub-flow collects together with its node", () => {
    const flow = smallFlow();
    const check: FlowNode = { id: "check", type: "subflow", exits: [{ when: "done", next: "bye" }] };
    const using = edit.replaceNode(
      { ...flow, nodes: [...flow.nodes, check] },
      { ...(nodeOf(flow, "bye") as Extract<FlowNode, { type: "end" }>), text: "See you, {{check__name}}." },
    );
    const renamed = edit.renameNode(using, "check", "who");
    expect(renamed && nodeOf(renamed, "bye")).toMatchObject({ text: "See you, {{who__name}}." });
    expect(renamed && nodeOf(renamed, "sorry")).toBe(nodeOf(flow, "sorry"));
    // The answers of a question do not have its id before them.
    const question = edit.renameNode(using, "coming", "check__more");
    expect(question && nodeOf(question, "bye")).toMatchObject({ text: "See you, {{check__name}}." });
  });

  it("moves nodes and comments to whole pixels", () => {
    const { flow, id } = edit.addComment(smallFlow(), { x: 5, y: 5 });
    const places = new Map([
      ["bye", { x: 10.6, y: 1 }],
      [`comment:${id}`, { x: 7.2, y: 8 }],
    ]);
    const moved = edit.moveTo(flow, places);
    expect(nodeOf(moved, "bye").position).toEqual({ x: 11, y: 1 });
    expect(moved.comments?.[0]?.position).toEqual({ x: 7, y: 8 });
  });

  it("reports what was removed, and leaves no empty list of comments behind", () => {
    const { flow, id } = edit.addComment(smallFlow(), { x: 5, y: 5 });
    const both = removeSelected(flow, ["bye", `comment:${id}`], []);
    expect(both.removed).toEqual({ nodes: 1, comments: 1, groups: 0, connections: 0 });
    expect(both.flow).not.toHaveProperty("comments");
    const line = removeSelected(flow, [], [{ nodeId: "start", exitId: "next" }]);
    expect(line.removed).toEqual({ nodes: 0, comments: 0, groups: 0, connections: 1 });
    expect(nodeOf(line.flow, "start")).not.toHaveProperty("next");
    expect(removeSelected(flow, [], [])).toEqual({ flow, removed: null });
  });
});
