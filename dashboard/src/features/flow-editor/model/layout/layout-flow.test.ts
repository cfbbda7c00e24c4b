import { describe, expect, it } from "vitest";
import { smallFlow } from "../testing/small-flow.ts";
import { layoutFlow, needsLayout } from "./layout-flow.ts";
import { sizeOf } from "./node-size.ts";

describe("tidying up", () => {
  it("puts every node right of its predecessors, without overlaps", async () => {
    const flow = smallFlow();
    const places = await layoutFlow(flow);
    const boxes = flow.nodes.map((node) => ({ ...(places.get(node.id) ?? { x: 0, y: 0 }), ...sizeOf(node) }));
    const [start, coming, bye, sorry] = boxes;
    expect(coming?.x).toBeGreaterThan((start?.x ?? 0) + (start?.width ?? 0));
    expect(bye?.x).toBeGreaterThan((coming?.x ?? 0) + (coming?.width ?? 0));
    expect(Math.abs((bye?.y ?? 0) - (sorry?.y ?? 0))).toBeGreaterThan(bye?.height ?? 0);
  });

  it("puts every node below its predecessors where the call is read down", async () => {
    const flow = smallFlow();
    const places = await layoutFlow(flow, "down");
    const [start, coming] = flow.nodes.map((node) => ({ ...(places.get(node.id) ?? { x: 0, y: 0 }), ...sizeOf(node) }));
    expect(coming?.y).toBeGreaterThan((start?.y ?? 0) + (start?.height ?? 0));
  });

  it("is the same for the same flow, and handles loops and unreachable nodes", async () => {
    const flow = smallFlow();
    flow.nodes.push({ id: "alone", type: "say", text: "", next: "alone" });
    expect(await layoutFlow(flow)).toEqual(await layoutFlow(flow));
    expect((await layoutFlow(flow)).size).toBe(5);
    expect(needsLayout(flow)).toBe(true);
    expect(needsLayout(smallFlow())).toBe(false);
  });
});
