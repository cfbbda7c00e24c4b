import { routedTo, trunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import { describe, expect, test } from "vitest";
import { goesToTrunks, refuseCallerId } from "./where-calls-go.ts";

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
