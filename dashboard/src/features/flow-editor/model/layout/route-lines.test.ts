import type { Flow, FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { moveTo } from "../edit-flow.ts";
import { layoutFlow } from "./layout-flow.ts";
import { sizeOf } from "./node-size.ts";
import { pathOfRoute, type Route, routeLines } from "./route-lines.ts";

const say = (id: string, x: number, y: number, next?: string): FlowNode => ({
  id,
  type: "say",
  text: id,
  position: { x, y },
  ...(next === undefined ? {} : { next }),
});
const flowOf = (...nodes: FlowNode[]): Flow => ({ schemaVersion: 1, variables: [], nodes });

/** The nodes that a route passes through. */
function crossed(flow: Flow, { from, to, corners }: Route): string[] {
  const points = [from, ...corners, to];
  return flow.nodes.flatMap((node) => {
    const { x, y } = node.position ?? { x: 0, y: 0 };
    const { width, height } = sizeOf(node);
    const isCrossed = points.slice(1).some((point, index) => {
      const before = points[index] ?? point;
      return (
        Math.min(before.x, point.x) < x + width - 1 &&
        Math.max(before.x, point.x) > x + 1 &&
        Math.min(before.y, point.y) < y + height - 1 &&
        Math.max(before.y, point.y) > y + 1
      );
    });
    return isCrossed ? [node.id] : [];
  });
}

describe("lines between nodes", () => {
  it("stay plain curves where nothing is in the way", () => {
    expect(routeLines(flowOf(say("one", 0, 0, "two"), say("two", 400, 0))).size).toBe(0);
  });

  it("go around a node that lies between", () => {
    const flow = flowOf(say("one", 0, 0, "three"), say("two", 400, -20), say("three", 800, 0));
    const route = routeLines(flow).get("one>next");
    expect(route?.corners.length).toBeGreaterThan(1);
    expect(route && crossed(flow, route)).toEqual([]);
  });

  it("go back around the nodes they connect", () => {
    const flow = flowOf(say("one", 0, 0, "two"), say("two", 400, 0, "one"));
    const route = routeLines(flow).get("two>next");
    expect(route && crossed(flow, route)).toEqual([]);
  });

  it("enter a node below from above", () => {
    const flow = flowOf(say("one", 0, 0, "two"), say("between", 0, 180), say("two", 0, 400));
    const route = routeLines(flow).get("one>next");
    expect(route?.to).toEqual({ x: 132, y: 400 });
    expect(route && crossed(flow, route)).toEqual([]);
  });

  it.each(["right", "down"] as const)("cross no node of a flow that was tidied up to the %s", async (direction) => {
    const nodes = Array.from({ length: 40 }, (_, index) =>
      say(`n${index}`, 0, 0, index === 39 ? "n3" : `n${(index * 7 + 5) % 40}`),
    );
    const flow = flowOf(...nodes);
    const laidOut = moveTo(flow, await layoutFlow(flow, direction));
    const routes = [...routeLines(laidOut).values()];
    expect(routes.flatMap((route) => crossed(laidOut, route))).toEqual([]);
  });

  it("are drawn with rounded corners", () => {
    const route = { from: { x: 0, y: 0 }, to: { x: 100, y: 100 }, corners: [{ x: 100, y: 0 }] };
    expect(pathOfRoute(route)).toBe("M0 0L88 0Q100 0 100 12L100 100");
  });
});
