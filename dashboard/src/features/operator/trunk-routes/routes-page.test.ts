import type { TrunkRoute } from "@parley/contract/trunk-routes";
import { expect, test } from "vitest";
import { describePlace, groupRoutes } from "./routes-page.tsx";

const route = (id: string, prefix: string, priority = 0, weight = 1): TrunkRoute => ({
  id,
  prefix,
  priority,
  weight,
  trunkId: "trk_x",
  trunkName: id,
  managedBy: "operator" as const,
  createdAt: "2026-01-31T09:30:00Z",
  updatedAt: "2026-01-31T09:30:00Z",
});

test("routes are shown in the order in which a call tries them: the longest prefix first, then by priority", () => {
  const groups = groupRoutes([route("d", ""), route("c", "49", 1), route("b", "49"), route("a", "4930")]);
  expect(groups.map(({ prefix, routes }) => [prefix, ...routes.map(({ id }) => id)])).toEqual([
    ["4930", "a"],
    ["49", "b", "c"],
    ["", "d"],
  ]);
});

test("each describes its role among the others of its prefix", () => {
  const [group = { prefix: "", routes: [] }] = groupRoutes([
    route("a", "49", 0, 3),
    route("b", "49", 0, 1),
    route("c", "49", 0, 0),
    route("d", "49", 5),
    route("e", "49", 9),
  ]);
  expect(group.routes.map((one) => describePlace(one, group))).toEqual([
    "Tried first, for 75% of calls",
    "Tried first, for 25% of calls",
    "Tried first, only if no other is left",
    "Tried if the first fails",
    "Tried in position 3",
  ]);
});
