import { describe, expect, it } from "vitest";
import { RecentDials } from "../sip-carrier.ts";
import { attemptDialId, dialIdentity } from "./dial-identity.ts";

describe("the name of an attempt", () => {
  it("is the same on the wire from any sender, and differs for each further attempt", () => {
    expect(dialIdentity("d")).toEqual(dialIdentity("d"));
    const ids = [1, 2, 3].map((ordinal) => attemptDialId("d", ordinal));
    expect(ids).toEqual(["d", "d.2", "d.3"]);
    expect(new Set(ids.map((id) => dialIdentity(id).callId)).size).toBe(3);
  });

  it("is remembered, the newest ones first, until it is known that nothing was sent", () => {
    const dials = new RecentDials(2);
    expect([dials.admit("a"), dials.admit("a"), dials.admit("b"), dials.admit("c")]).toEqual([true, false, true, true]);
    expect([dials.admit("c"), dials.admit("a")]).toEqual([false, true]);
    dials.forget("a");
    expect(dials.admit("a")).toBe(true);
  });
});
