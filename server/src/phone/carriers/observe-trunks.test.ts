import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, test } from "vitest";
import { createLog } from "../../platform/telemetry/log.ts";
import { createMetrics } from "../../platform/telemetry/metrics.ts";
import { observeTrunks } from "./observe-trunks.ts";

function openRig() {
  const clock = createVirtualClock();
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", { write: (line) => lines.push(JSON.parse(line)) });
  const metrics = createMetrics({ version: "test", roles: ["calls"] });
  const noted: unknown[] = [];
  const observer = observeTrunks({
    clock,
    log,
    metrics,
    trunkNames: () => ["One", "Two"],
    trunkName: () => "One",
    noteAttempt: (outcome) => noted.push(outcome),
    noteHealth: (trunkId, health) => noted.push([trunkId, health]),
  });
  const sample = async (name: string) => (await metrics.text()).split("\n").filter((line) => line.startsWith(name));
  return { clock, lines, observer, noted, sample };
}

const source = { transport: "udp", address: "192.0.2.1", port: 5060 } as const;

describe("the telemetry of trunks", () => {
  test("garbage from the network is always counted, and logged occasionally with the omitted count", async () => {
    const { clock, lines, observer, sample } = openRig();
    for (let i = 0; i < 50; i += 1) observer.refused?.("malformed_message", "no start line", source);
    observer.refused?.("bad_media", "short packet", null);
    await clock.advance(10_000);
    observer.refused?.("malformed_message", "no start line", source);
    expect(lines.map(({ what, unsaid }) => [what, unsaid])).toEqual([
      ["malformed_message", 0],
      ["bad_media", 0],
      ["malformed_message", 49],
    ]);
    expect(await sample("parley_sip_input_refused_total{")).toEqual([
      'parley_sip_input_refused_total{what="malformed_message"} 51',
      'parley_sip_input_refused_total{what="bad_media"} 1',
    ]);
  });

  test("attempts are counted by trunk and outcome, and noted for the answer rate", async () => {
    const { observer, noted, sample } = openRig();
    const end = { cause: "busy", code: 486, reason: "Busy Here" } as const;
    const outcome = { trunkId: "trk_1", callerId: null, rang: true, answered: false, end };
    observer.attemptEnded?.(outcome);
    observer.attemptEnded?.({ ...outcome, answered: true });
    expect(noted).toHaveLength(2);
    const counted = await sample("parley_trunk_attempts_total{");
    expect(counted.filter((line) => !line.endsWith(" 0"))).toEqual([
      'parley_trunk_attempts_total{trunk="One",outcome="busy"} 1',
      'parley_trunk_attempts_total{trunk="One",outcome="answered"} 1',
    ]);
  });

  test("a trunk is counted before its first attempt, with every outcome, so that none is missing from its rate", async () => {
    const { sample } = openRig();
    const counted = await sample("parley_trunk_attempts_total{");
    for (const trunk of ["One", "Two"])
      for (const outcome of ["answered", "no_answer", "unavailable"])
        expect(counted).toContain(`parley_trunk_attempts_total{trunk="${trunk}",outcome="${outcome}"} 0`);
  });

  test("a trunk in trouble is a warning, and one that recovered is not", () => {
    const { observer, lines } = openRig();
    const well = { isReachable: true, isRegistered: null, circuit: "closed", trouble: null } as const;
    observer.healthChanged?.("trk_1", { ...well, isReachable: false, trouble: "no answer" });
    observer.healthChanged?.("trk_1", well);
    expect(lines.map(({ level, trunk }) => [level, trunk])).toEqual([
      ["warn", "One"],
      ["info", "One"],
    ]);
  });
});
