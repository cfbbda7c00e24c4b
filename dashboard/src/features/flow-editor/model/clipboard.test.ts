import { describe, expect, it } from "vitest";
import { copyPart, duplicatePart, pastePart } from "./clipboard.ts";
import { addComment } from "./edit-flow.ts";
import { nodeOf, smallFlow } from "./testing/small-flow.ts";

describe("copying and pasting", () => {
  it("assigns pasted nodes new ids, with the lines between them", () => {
    const flow = smallFlow();
    const pasted = pastePart(flow, copyPart(flow, ["coming", "bye"]), null);
    expect(pasted?.selection).toEqual(["coming_2", "bye_2"]);
    if (!pasted) return;
    // Targets that were not copied are kept, because they exist.
    expect(nodeOf(pasted.flow, "coming_2")).toMatchObject({
      exits: [{ next: "bye_2" }, { next: "sorry" }],
      position: { x: 400, y: 40 },
    });
    expect(pasted.flow.nodes.slice(0, 4)).toEqual(flow.nodes);
  });

  it("cuts lines to nodes that another agent does not have", () => {
    const other = { ...smallFlow(), nodes: [] };
    const pasted = pastePart(other, copyPart(smallFlow(), ["coming", "bye"]), { x: 0, y: 0 });
    expect(pasted && nodeOf(pasted.flow, "coming")).toMatchObject({ exits: [{ next: "bye" }, { when: "no" }] });
    expect(pasted && nodeOf(pasted.flow, "coming")).not.toHaveProperty("otherwise");
  });

  it("does not paste a second start, and pastes comments", () => {
    const { flow } = addComment(smallFlow(), { x: 1, y: 1 });
    const pasted = duplicatePart(flow, ["start", "comment:comment"]);
    expect(pasted?.selection).toEqual(["comment:comment_2"]);
    expect(pasted?.flow.comments).toHaveLength(2);
    expect(pasted?.flow.nodes).toEqual(flow.nodes);
  });

  it.each(["", "hello", "{", '{"parleyFlowPart":1}', '{"parleyFlowPart":1,"nodes":[{"id":"X"}],"comments":[]}'])(
    "accepts nothing from %s",
    (text) => {
      expect(pastePart(smallFlow(), text, null)).toBeNull();
    },
  );
});
