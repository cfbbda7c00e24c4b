import { routedTo, trunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import type { TrunkDirectory } from "@parley/telephony/sip-carrier/trunks/trunk";
import { describe, expect, test } from "vitest";
import { createCallRouter, goesToTrunks, refuseCallerId } from "./where-calls-go.ts";

const trunk = trunkTo(5060, { callerIds: ["+15550100099"] });
const connected = routedTo(trunk);

describe("where calls go", () => {
  test("test calls are simulated whatever trunks there are", () => {
    expect(goesToTrunks("test", connected)).toBe(false);
  });

  test("live calls are simulated until an operator has an enabled trunk with a route", () => {
    expect(goesToTrunks("live", { trunks: [], routes: [] })).toBe(false);
    expect(goesToTrunks("live", { trunks: [trunk], routes: [] })).toBe(false);
    expect(goesToTrunks("live", { ...connected, trunks: [{ ...trunk, isEnabled: false }] })).toBe(false);
    expect(goesToTrunks("live", connected)).toBe(true);
  });
});

describe("the network of a call that is not dialed yet", () => {
  const [one, two] = [trunkTo(5060, { name: "One" }), trunkTo(5061, { name: "Two" })];
  const route = (directory: TrunkDirectory, mode: "test" | "live", chargesSimulatedCalls = false) =>
    createCallRouter({ current: () => directory }, { chargesSimulatedCalls }).routeCall(mode, "+4930123456", null);

  test("is the simulated one without trunks and for test calls, and costs only where the operator enables it", () => {
    const none = { trunks: [], routes: [] };
    expect(route(none, "live")).toEqual({ network: "simulated", isCharged: false });
    expect(route(none, "live", true)).toEqual({ network: "simulated", isCharged: true });
    for (const directory of [none, connected])
      expect(route(directory, "test", true)).toEqual({ network: "simulated", isCharged: false });
  });

  test("is the trunk that its route prefers", () => {
    expect(route(routedTo(one, two), "live")).toEqual({ network: "One", isCharged: true });
    expect(route(routedTo(two, one), "live")).toEqual({ network: "Two", isCharged: true });
  });

  test("is not known while weights leave it to chance, and where no route leads to the number", () => {
    const { trunks, routes } = routedTo(one, two);
    const drawn = routes.map((each) => ({ ...each, priority: 0 }));
    expect(route({ trunks, routes: drawn }, "live")).toEqual({ network: null, isCharged: true });
    const elsewhere = routes.map((each) => ({ ...each, prefix: "1" }));
    expect(route({ trunks, routes: elsewhere }, "live")).toEqual({ network: null, isCharged: true });
  });
});

describe("the number a callee sees", () => {
  test("must be one that an enabled trunk may show, which the refusal says without naming any", () => {
    expect(refuseCallerId("live", "+15550100099", connected)).toBeNull();
    const refusal = refuseCallerId("live", "+15550100098", connected);
    expect(refusal).toMatchObject({ code: "validation_failed", param: "from" });
    expect(refusal?.message).not.toContain("+1555");
    const disabled = trunkTo(5061, { id: "trk_2", isEnabled: false, callerIds: [] });
    expect(refuseCallerId("live", "+15550100098", { ...connected, trunks: [trunk, disabled] })).not.toBeNull();
  });

  test("may be any where a trunk does not say which", () => {
    const open = trunkTo(5061, { id: "trk_2", callerIds: [] });
    expect(refuseCallerId("live", "+15550100098", { ...connected, trunks: [trunk, open] })).toBeNull();
  });

  test("may be any on the simulated network, and may always be left to the trunk", () => {
    expect(refuseCallerId("test", "+15550100098", connected)).toBeNull();
    expect(refuseCallerId("live", "+15550100098", { trunks: [trunk], routes: [] })).toBeNull();
    expect(refuseCallerId("live", undefined, connected)).toBeNull();
  });
});
