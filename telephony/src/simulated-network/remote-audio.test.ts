import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { samplesIn } from "@parley/audio/frame";
import { peakOf } from "@parley/audio/level";
import { systemClock } from "@parley/time/clock";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { CallLeg, Carrier, SimulatedCalleePlan } from "../carrier.ts";
import { describeAudioConformance } from "../conformance/audio-conformance.ts";
import { bestCorrelation } from "../rtp/testing/best-correlation.ts";
import { speechDurationMs } from "./audio/syllables.ts";
import { HOURS_LINE } from "./callees/machines.ts";
import { fetchReport } from "./fetch-report.ts";
import { connectSimulatedNetwork } from "./remote-simulated-network.ts";
import { loudStretches, signsIn } from "./testing/listen.ts";
import { followRealCall, type RealCall } from "./testing/real-call.ts";
import { openServedRig } from "./testing/remote-rigs.ts";
import { type NetworkProcess, startNetworkProcess } from "./testing/start-network-process.ts";
import { agentSpeech } from "./testing/virtual-call.ts";

const WORKER = fileURLToPath(new URL("./testing/place-and-wait.ts", import.meta.url));

let network: NetworkProcess;
let carrier: Carrier;

beforeAll(async () => {
  network = await startNetworkProcess({ speed: 1, audio: true });
  carrier = connectSimulatedNetwork({ host: network.host, port: network.port, clock: systemClock });
});

afterAll(async () => {
  await carrier.close();
  await network.kill("SIGTERM");
});

describeAudioConformance("a simulated network that is reached over a socket", openServedRig);

/** Calls a number in the other process and hands the call over once it was answered. */
async function withCall(
  to: string,
  plan: SimulatedCalleePlan,
  use: (call: RealCall, leg: CallLeg) => Promise<void>,
): Promise<void> {
  const dial = {
    callId: randomUUID(),
    dialId: randomUUID(),
    to,
    from: null,
    simulation: { answerAfterMs: 0, ...plan },
  };
  const leg = await carrier.place(dial);
  const call = followRealCall(leg);
  try {
    if (!(await call.becomesTrue(() => call.events.some(({ type }) => type === "answered")))) {
      throw new Error("The call was not answered.");
    }
    await use(call, leg);
  } finally {
    await leg.hangup();
    call.stop();
  }
}

describe.concurrent("audio from a network in another process", { timeout: 40_000 }, () => {
  it("crosses both ways: an echo returns what we play", async ({ expect }) => {
    await withCall("+15550100015", { script: [] }, async (call, leg) => {
      const start = call.played().length;
      call.play(agentSpeech(1_200));
      await call.becomesTrue(() => call.heard().length >= start + samplesIn(3_000));
      const played = call.played();
      const first = played.findIndex((sample, index) => index >= start && sample !== 0);
      // A busy machine may tear a gap into it somewhere, but not everywhere.
      const likenesses = [0, 300, 600, 900].map((offsetMs) =>
        bestCorrelation(played, call.heard(), {
          start: first + samplesIn(offsetMs),
          count: samplesIn(250),
          lagMin: samplesIn(180),
          lagMax: samplesIn(1_500),
        }),
      );
      expect(Math.max(...likenesses.map(({ correlation }) => correlation))).toBeGreaterThan(0.95);
      const statistics = await leg.statistics();
      expect(statistics?.packetsSent).toBeGreaterThan(50);
      await leg.hangup();
      expect((await leg.statistics())?.packetsSent).toBeGreaterThanOrEqual(statistics?.packetsSent ?? Number.NaN);
    });
  });

  it("keeps both rings at one position, and includes the ringing", async ({ expect }) => {
    await withCall("+15550100009", { answerAfterMs: 1_000 }, async (call) => {
      expect(call.events.map(({ type }) => type)).toEqual(["ringing", "early_media", "answered"]);
      expect(Math.abs(call.heard().length - call.played().length)).toBeLessThanOrEqual(samplesIn(20));
      expect(loudStretches(call.heard().subarray(0, samplesIn(1_200)), -20)).not.toEqual([]);
    });
  });

  it("carries keys to the callee and from it", async ({ expect }) => {
    await withCall("+15550100008", {}, async (call, leg) => {
      await call.becomesTrue(() => loudStretches(call.heard().subarray(samplesIn(500))).length > 0);
      leg.sendDtmf("1");
      const pressedMs = call.heard().length / 8;
      expect(await call.becomesTrue(() => call.events.some(({ type }) => type === "ended"))).toBe(true);
      expect(call.events.at(-1)).toMatchObject({ cause: "hangup", by: "callee" });
      expect(call.heard().length / 8 - pressedMs).toBeGreaterThan(speechDurationMs(HOURS_LINE) - 500);
    });
    await withCall("+15550100001", { script: [{ press: "7" }] }, async (call) => {
      await call.becomesTrue(() => call.events.some(({ type }) => type === "dtmf"));
      expect(call.events.at(-1)).toEqual({ type: "dtmf", key: "7", durationMs: 100 });
    });
  });

  it("carries a bridge: we hear in what is played what the callee hears", async ({ expect }) => {
    await withCall("+15550100009", { noise: 0 }, async (call, leg) => {
      leg.transfer({ to: "+15550100019", how: "bridge", dialId: randomUUID(), ringTimeoutMs: 10_000 });
      const isBridged = () =>
        call.events.some((event) => event.type === "transfer_progressed" && event.state === "completed");
      expect(await call.becomesTrue(isBridged)).toBe(true);
      expect(peakOf(call.played())).toBe(0);
      expect(await call.becomesTrue(() => signsIn(call.played()).includes("fax.answered"))).toBe(true);
    });
  });

  it("continues in the network when the worker dies, and another worker can end it", async ({ expect }) => {
    const dial = { callId: randomUUID(), dialId: randomUUID(), to: "+15550100009" };
    const worker = spawn(process.execPath, [WORKER, String(network.port), dial.callId, dial.dialId, dial.to]);
    for await (const line of createInterface({ input: worker.stdout })) if (line.includes("answered")) break;
    const exited = once(worker, "exit");
    worker.kill("SIGKILL");
    await exited;
    const endOf = async () => {
      const { records } = await fetchReport(network.host, network.port);
      return records.find(({ dialId }) => dialId === dial.dialId)?.end;
    };
    expect(await endOf()).toBeNull();
    expect(await carrier.endOrphan(dial)).toBe(true);
    expect(await endOf()).toMatchObject({ cause: "hangup", by: "us" });
  });
});
