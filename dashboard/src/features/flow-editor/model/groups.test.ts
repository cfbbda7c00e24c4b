import { compileFlow } from "@parley/flow/compile";
import { describe, expect, it } from "vitest";
import { removeSelected } from "../canvas/use-keyboard-shortcuts.ts";
import { duplicatePart } from "./clipboard.ts";
import { moveTo, removeNodes, renameNode } from "./edit-flow.ts";
import { createEditorStore } from "./editor-store.ts";
import { frameOf, groupSelection, isGrouped, ungroupSelection } from "./groups.ts";
import { layoutFlow } from "./layout/layout-flow.ts";
import { smallFlow } from "./testing/small-flow.ts";

const ends = { id: "group", name: "", nodeIds: ["bye", "sorry"] };
const grouped = () => ({ ...smallFlow(), groups: [ends] });

describe("groups of nodes", () => {
  it("groups what is selected, and the compiler accepts it", () => {
    const added = groupSelection(smallFlow(), ["sorry", "bye", "comment:one"]);
    expect(added).toEqual({ flow: grouped(), id: "group" });
    expect(compileFlow(grouped()).ok).toBe(true);
  });

  it("does not group a single node, and nothing twice", () => {
    expect(groupSelection(smallFlow(), ["bye"])).toBeNull();
    expect(groupSelection(grouped(), ["group:group", "bye"])).toBeNull();
  });

  it("moves nodes from their group to the one they join", () => {
    const other = groupSelection(grouped(), ["coming", "bye"])?.flow;
    expect(other?.groups).toEqual([
      { ...ends, nodeIds: ["sorry"] },
      { id: "group_2", name: "", nodeIds: ["coming", "bye"] },
    ]);
    expect(other && groupSelection(other, ["group:group_2", "sorry"])?.flow.groups).toEqual([
      { id: "group_2", name: "", nodeIds: ["coming", "bye", "sorry"] },
    ]);
  });

  it("frees nodes of a group, and removes the frame with the last of them", () => {
    expect(isGrouped(grouped(), ["bye"])).toBe(true);
    expect(isGrouped(grouped(), ["coming"])).toBe(false);
    expect(ungroupSelection(grouped(), ["bye"]).groups).toEqual([{ ...ends, nodeIds: ["sorry"] }]);
    expect(ungroupSelection(grouped(), ["group:group"])).toEqual(smallFlow());
    expect(removeSelected(grouped(), ["group:group"], [])).toEqual({
      flow: smallFlow(),
      removed: { nodes: 0, comments: 0, groups: 1, connections: 0 },
    });
    expect(removeNodes(grouped(), new Set(["bye", "sorry"]))).not.toHaveProperty("groups");
  });

  it("keeps a node in its group when it gets another id", () => {
    expect(renameNode(grouped(), "bye", "goodbye")?.groups).toEqual([{ ...ends, nodeIds: ["goodbye", "sorry"] }]);
  });

  it("copies a group with its nodes", () => {
    const pasted = duplicatePart(grouped(), ["group:group"]);
    expect(pasted?.selection).toEqual(["bye_2", "sorry_2"]);
    expect(pasted?.flow.groups).toEqual([ends, { ...ends, id: "group_2", nodeIds: ["bye_2", "sorry_2"] }]);
    // Part of a group is copied without the frame.
    expect(duplicatePart(grouped(), ["bye"])?.flow.groups).toEqual([ends]);
  });

  it("draws the frame around its nodes, wherever they are", () => {
    const around = frameOf(ends, grouped());
    expect(around).toMatchObject({ x: 696, y: -138, width: 312 });
    const moved = moveTo(grouped(), new Map([["sorry", { x: 820, y: 300 }]]));
    expect(frameOf(ends, moved)).toMatchObject({ x: 696, y: -138, width: 412 });
    expect(frameOf({ ...ends, nodeIds: ["gone"] }, grouped())).toBeNull();
  });

  it("keeps the nodes of a group together when the flow is tidied up", async () => {
    const flow = smallFlow();
    flow.nodes.push({ id: "other", type: "end", text: "Bye." });
    const asked = flow.nodes.map((node) =>
      node.type === "ask" ? { ...node, exits: [...node.exits, { when: "maybe", next: "other" }] } : node,
    );
    const group = { id: "group", name: "", nodeIds: ["bye", "other"] };
    const places = await layoutFlow({ ...flow, nodes: asked, groups: [group] });
    const placed = moveTo({ ...flow, nodes: asked }, places);
    const frame = frameOf(group, placed);
    const sorry = places.get("sorry");
    expect(places.size).toBe(5);
    if (!frame || !sorry) throw new Error("the layout is incomplete");
    expect(sorry.y > frame.y + frame.height || sorry.y < frame.y).toBe(true);
  });

  it("brings a group back by undo", () => {
    const store = createEditorStore(grouped());
    store.select(["group:group"]);
    store.edit((flow) => ungroupSelection(flow, ["group:group"]));
    expect(store.getSnapshot().selection).toEqual([]);
    store.undo();
    expect(store.getSnapshot().flow.groups).toEqual([ends]);
  });
});
