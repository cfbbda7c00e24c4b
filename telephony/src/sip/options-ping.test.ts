import { describe, expect, it } from "vitest";
import { headerList } from "./message/read-headers.ts";
import type { PingResult } from "./options-ping.ts";
import { useAgentRig } from "./testing/agent-rig.ts";

const rigs = useAgentRig();
const { open } = rigs;

describe("a ping", () => {
  it("reports periodically whether the peer responds, until it is stopped", async () => {
    const { peer, clock, agent, trunk } = open();
    const results: PingResult[] = [];
    peer.on("OPTIONS", (options) => peer.reply(options, 405));
    const stop = agent.keepPinging(trunk, 30_000, (result) => results.push(result));
    await clock.advance(100);
    expect(results).toMatchObject([{ isReachable: true, status: 405, roundTripMs: 2 }]);
    peer.on("OPTIONS", () => undefined);
    await clock.advance(30_000 + 32_100);
    expect(results.at(-1)).toMatchObject({ isReachable: false, status: null });
    stop();
    await clock.advance(100_000);
    expect(results).toHaveLength(2);
    expect(headerList(peer.request("OPTIONS"), "Route")).toEqual([]);
  });
});
