import { describe, expect, it } from "vitest";
import { seededRandom } from "../../sip/testing/seeded-random.ts";
import { trunkTo } from "../testing/trunk-to.ts";
import { chooseTrunks, type SelectionDeps, type TrunkQuery } from "./choose-trunks.ts";
import type { Trunk, TrunkRoute } from "./trunk.ts";
import type { TrunkHealth } from "./trunk-health.ts";

const FINE: TrunkHealth = { isReachable: null, isRegistered: null, circuit: "closed", trouble: null };
const random = seededRandom(3);

function trunk(id: string, changes: Partial<Trunk> = {}): Trunk {
  return trunkTo(5060, { id, ...changes });
}

function route(trunkId: string, prefix: string, priority = 1, weight = 1): TrunkRoute {
  return { id: `${trunkId}-${prefix}`, trunkId, prefix, priority, weight };
}

function select(
  trunks: readonly Trunk[],
  routes: readonly TrunkRoute[],
  query: Partial<TrunkQuery> = {},
  healths: Readonly<Record<string, Partial<TrunkHealth>>> = {},
) {
  const deps: SelectionDeps = {
    directory: { trunks, routes },
    healthOf: (id) => ({ ...FINE, ...healths[id] }),
    fraction: () => random.fraction(),
  };
  return chooseTrunks(deps, { to: "+4930123456", from: null, ...query });
}

function ids(...given: Parameters<typeof select>): string[] {
  return select(...given).choices.map(({ trunk: { id } }) => id);
}

describe("choosing trunks for a number", () => {
  it("takes the longest prefix first, then the priority, then shorter prefixes", () => {
    const trunks = ["world", "germany", "berlin", "berlin2", "france"].map((id) => trunk(id));
    const routes = [
      route("world", ""),
      route("germany", "49"),
      route("berlin2", "4930", 2),
      route("berlin", "4930", 1),
      route("france", "33"),
    ];
    expect(ids(trunks, routes)).toEqual(["berlin", "berlin2", "germany", "world"]);
  });

  it("names a trunk once, at its best place", () => {
    expect(ids([trunk("a"), trunk("b")], [route("a", ""), route("b", "4"), route("a", "49")])).toEqual(["a", "b"]);
  });

  it("draws among equals by weight, and takes those of weight 0 only when no other is left", () => {
    const trunks = ["light", "heavy", "spare"].map((id) => trunk(id));
    const routes = [route("spare", "", 1, 0), route("light", "", 1, 1), route("heavy", "", 1, 3)];
    const drawn = Array.from({ length: 2_000 }, () => ids(trunks, routes));
    const heavyFirst = drawn.filter(([first]) => first === "heavy").length;
    expect(heavyFirst).toBeGreaterThan(1_400);
    expect(heavyFirst).toBeLessThan(1_600);
    expect(drawn.every((order) => order[2] === "spare" && order.length === 3)).toBe(true);
  });

  it("leaves out trunks that are switched off, and routes to trunks that do not exist", () => {
    const routes = [route("off", "49"), route("gone", "49"), route("on", "")];
    expect(ids([trunk("off", { isEnabled: false }), trunk("on")], routes)).toEqual(["on"]);
  });

  it("omits a trunk that may not show the number, and shows a trunk's first number where none is requested", () => {
    const trunks = [trunk("a", { callerIds: ["+4930111", "+4930222"] }), trunk("b", { callerIds: ["+4930333"] })];
    const routes = [route("a", "", 1), route("b", "", 2)];
    expect(ids(trunks, routes, { from: "+4930333" })).toEqual(["b"]);
    expect(ids(trunks, routes, { from: "4930222" })).toEqual(["a"]);
    const { choices } = select(trunks, routes);
    expect(choices.map(({ callerId }) => callerId)).toEqual(["+4930111", "+4930333"]);
    expect(select([trunk("any")], [route("any", "")], { from: "+1555" }).choices[0]?.callerId).toBe("+1555");
    expect(select([trunk("any")], [route("any", "")]).choices[0]?.callerId).toBeNull();
  });

  it("keeps calls away from an open circuit, and tries a trunk that does not answer last", () => {
    const trunks = ["open", "away", "fine", "half"].map((id) => trunk(id));
    const routes = trunks.map(({ id }, index) => route(id, "", index));
    const healths = {
      open: { circuit: "open" },
      away: { isReachable: false },
      half: { circuit: "half_open" },
    } as const;
    expect(ids(trunks, routes, {}, healths)).toEqual(["fine", "half", "away"]);
  });

  it.each([
    ["No route leads to this number.", [trunk("a")], [route("a", "33")], {}],
    ["No route leads to this number.", [], [route("a", "")], {}],
    ["Every trunk for this number is switched off.", [trunk("a", { isEnabled: false })], [route("a", "")], {}],
    ["No trunk for this number may show this caller id.", [trunk("a", { callerIds: ["+1"] })], [route("a", "")], {}],
    ["Every trunk for this number is out of order.", [trunk("a")], [route("a", "")], { a: { circuit: "open" } }],
  ] as const)("says why there is none: %s", (obstacle, trunks, routes, healths) => {
    expect(select(trunks, routes, { from: "+2" }, healths)).toEqual({ choices: [], obstacle });
  });
});
