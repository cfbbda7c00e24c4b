import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { systemClock } from "@parley/time/clock";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Dial } from "../carrier.ts";
import { describeCarrierConformance } from "../conformance/carrier-conformance.ts";
import { followLeg } from "../conformance/follow-leg.ts";
import { fetchReport } from "./fetch-report.ts";
import { connectSimulatedNetwork } from "./remote-simulated-network.ts";
import { openRemoteRig, waitForReal } from "./testing/remote-rigs.ts";
import { type NetworkProcess, startNetworkProcess } from "./testing/start-network-process.ts";
import { TEST_NUMBERS } from "./testing/test-numbers.ts";

const SPEED = 40;
const WORKER = fileURLToPath(new URL("./testing/place-and-wait.ts", import.meta.url));

let network: NetworkProcess;

beforeAll(async () => {
  network = await startNetworkProcess({ speed: SPEED });
});

afterAll(() => network.kill("SIGTERM"));

describeCarrierConformance("the simulated network in another process", async () => openRemoteRig(network));

describe("a worker and a network in two processes", () => {
  function dialTo(to: string): Dial {
    return { callId: randomUUID(), dialId: randomUUID(), to, from: null };
  }

  it("lets another worker end the call of a worker that was killed, and the phone has rung once", async () => {
    const dial = dialTo(TEST_NUMBERS.staysOnTheLine);
    const worker = spawn(process.execPath, [WORKER, String(network.port), dial.callId, dial.dialId, dial.to]);
    await waitForReal(lineWith(worker, "answered"), "the answer");
    const exited = once(worker, "exit");
    worker.kill("SIGKILL");
    await exited;

    const rig = openRemoteRig(network);
    expect(await rig.isLive(dial.dialId)).toBe(true);
    expect(await rig.waitFor(rig.otherCarrier.endOrphan(dial), "the end of the orphan")).toBe(true);
    await rig.close();

    const report = await fetchReport(network.host, network.port);
    expect(report.dialIdsByCallId.get(dial.callId)).toBe(1);
    expect(report.records.find(({ dialId }) => dialId === dial.dialId)).toMatchObject({
      placedCount: 1,
      states: [{ name: "dialing" }, { name: "ringing" }, { name: "talking" }, { name: "ended" }],
      end: { cause: "hangup", by: "us" },
    });
  });

  it("reports under how many dialIds a call was dialed", async () => {
    const rig = openRemoteRig(network);
    const dial = dialTo(TEST_NUMBERS.busy);
    await rig.carrier.place(dial);
    await rig.carrier.place({ ...dial, dialId: randomUUID() });
    await rig.close();
    expect((await fetchReport(network.host, network.port)).dialIdsByCallId.get(dial.callId)).toBe(2);
  });

  it("ends its legs as lost when the network dies, confirms nothing, and reconnects when it is back", async () => {
    const mortal = await startNetworkProcess({ speed: SPEED });
    const rig = openRemoteRig(mortal);
    const dial = dialTo(TEST_NUMBERS.staysOnTheLine);
    const followed = followLeg(await rig.carrier.place(dial));
    await rig.waitFor(followed.until("answered"), "the answer");
    await mortal.kill();
    expect(await rig.waitFor(followed.until("ended"), "the loss")).toMatchObject({ cause: "lost", by: "network" });
    expect(await rig.carrier.endOrphan(dial)).toBe(false);
    await expect(rig.carrier.place(dialTo(TEST_NUMBERS.hangsUp))).rejects.toThrow("cannot be reached");

    const revived = await startNetworkProcess({ speed: SPEED, port: mortal.port });
    const again = followLeg(await rig.carrier.place(dialTo(TEST_NUMBERS.hangsUp)));
    expect(await rig.waitFor(again.until("ended"), "the end")).toMatchObject({ cause: "hangup", by: "callee" });
    await rig.close();
    expect(rig.resourcesHeld()).toBe(0);
    await revived.kill();
  });

  it("ends a leg as lost when the network does not confirm a hangup in time", async () => {
    const clock = createVirtualClock();
    const stalled = await startNetworkProcess({ speed: SPEED });
    const carrier = connectSimulatedNetwork({ host: stalled.host, port: stalled.port, clock });
    const leg = await carrier.place(dialTo(TEST_NUMBERS.staysOnTheLine));
    const followed = followLeg(leg);
    await waitForReal(followed.until("answered"), "the answer");
    stalled.pause();
    const hangup = leg.hangup();
    await clock.advance(10_000);
    await waitForReal(hangup, "the hangup");
    expect(followed.events.at(-1)).toMatchObject({ type: "ended", cause: "lost", by: "network" });
    expect(await Promise.race([carrier.endOrphan({ callId: "c", dialId: "d" }), advanced(clock)])).toBe(false);
    await carrier.close();
    expect(clock.pendingTimers()).toBe(0);
    await stalled.kill();
  });

  it("sends nothing that does not fit into a line", async () => {
    const carrier = connectSimulatedNetwork({ host: network.host, port: network.port, clock: systemClock });
    const script = Array.from({ length: 50_000 }, () => ({ waitMs: 1 }));
    const dial = { ...dialTo(TEST_NUMBERS.hangsUp), simulation: { script } };
    await expect(carrier.place(dial)).rejects.toThrow("too long");
    await carrier.close();
    expect((await fetchReport(network.host, network.port)).dialIdsByCallId.has(dial.callId)).toBe(false);
  });

  async function advanced(clock: ReturnType<typeof createVirtualClock>): Promise<string> {
    await clock.advance(10_000);
    await clock.advance(0);
    return "nothing was resolved";
  }
});

async function lineWith(child: ChildProcess, text: string): Promise<string> {
  if (child.stdout === null) throw new Error("The worker has no output.");
  for await (const line of createInterface({ input: child.stdout })) if (line.includes(text)) return line;
  throw new Error(`The worker ended without saying ${text}.`);
}
