import { describe, expect, it } from "vitest";
import type { RandomSource } from "../sip/random-source.ts";
import { seededRandom } from "../sip/testing/seeded-random.ts";
import type { FarPlan } from "./testing/far-call.ts";
import { openVirtualCarrier, type PlacedLeg, type VirtualCarrier } from "./testing/open-virtual-carrier.ts";

const CALLS = 60;
const EVERYTHING_IS_OVER_MS = 400_000;

function pick<Item>(random: RandomSource, items: readonly Item[]): Item {
  const item = items[Math.floor(random.fraction() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

function randomPlan(random: RandomSource): FarPlan {
  const ringsAfterMs = pick(random, [null, 0, 50, 2_000]);
  return pick<FarPlan>(random, [
    { ringsAfterMs, refuses: { status: pick(random, [302, 403, 404, 408, 480, 486, 488, 500, 503, 603, 608]) } },
    { ringsAfterMs, answersAfterMs: pick(random, [0, 1_000, 20_000]), hangsUpAfterMs: pick(random, [0, 500, 30_000]) },
    { ringsAfterMs, hasEarlyMedia: true, answersAfterMs: pick(random, [null, 500]) },
    { changeAnswer: () => (random.fraction() < 0.5 ? undefined : "nonsense") },
    { isSilent: pick(random, ["from the beginning", "after trying"] as const) },
    {},
  ]);
}

/** Does one of the things that people, networks and machines do, at a random moment. */
function disturb(rig: VirtualCarrier, { leg }: PlacedLeg, random: RandomSource, index: number): void {
  const audio = rig.threads.flatMap(({ legs }) => legs).at(-1);
  const act = pick<() => void>(random, [
    () => leg.hangup().catch((error: unknown) => rig.errors.push(error)),
    () => leg.transfer({ to: "+15550002", how: "bridge", dialId: `party-${index}`, ringTimeoutMs: 10_000 }),
    () => leg.transfer({ to: "+15550002", how: "auto", dialId: `party-${index}`, ringTimeoutMs: 10_000 }),
    () => audio?.report({ type: "media_timed_out" }),
    () => audio?.toOpen.onFailure("it broke"),
    () => rig.threads.at(-1)?.die(),
    () => leg.sendDtmf("1"),
    () => undefined,
  ]);
  rig.clock.setTimer(random.fraction() * 40_000, act);
}

async function placeMany(rig: VirtualCarrier, random: RandomSource): Promise<PlacedLeg[]> {
  const placed: PlacedLeg[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    rig.plans.a = randomPlan(random);
    rig.plans.b = randomPlan(random);
    const call = await rig.place({ to: `+1555${1_000 + index}`, ringTimeoutMs: pick(random, [5_000, 45_000]) });
    disturb(rig, call, random, index);
    placed.push(call);
    await rig.clock.advance(random.fraction() * 3_000);
  }
  await rig.clock.advance(EVERYTHING_IS_OVER_MS);
  return placed;
}

describe.each([1, 2, 3, 4])("many concurrent random calls (seed %i)", (seed) => {
  it("end once each, are written down completely, and leave nothing behind, over a network that loses a tenth", async () => {
    const random = seededRandom(seed);
    const rig = openVirtualCarrier({ ports: [20_000, 20_999] });
    rig.network.setConditions({ lossRate: 0.1, duplicateRate: 0.1, delayMinMs: 1, delayMaxMs: 80 });
    const placed = await placeMany(rig, random);
    const stillTalking = placed.filter(({ followed }) => followed.events.at(-1)?.type !== "ended");
    for (const { leg } of stillTalking) leg.hangup().catch((error: unknown) => rig.errors.push(error));
    await rig.clock.advance(EVERYTHING_IS_OVER_MS);
    for (const { followed } of placed) {
      expect(followed.events.filter(({ type }) => type === "ended")).toHaveLength(1);
      expect(followed.events.at(-1)?.type).toBe("ended");
    }
    expect(rig.carrier.resourcesHeld()).toMatchObject({ legs: 0, mediaLegs: 0, ports: 0, invites: 0 });
    const written = rig.journal.written.map(({ dialId }) => dialId);
    const ended = rig.journal.ends.map(({ dialId }) => dialId);
    expect(ended.toSorted()).toEqual(written.toSorted());
    expect(new Set(written).size).toBe(written.length);
    expect(rig.errors).toEqual([]);
    expect(await rig.close()).toBe(0);
  });

  it("ring no phone twice while the network keeps messages and their order", async () => {
    const random = seededRandom(seed + 100);
    const rig = openVirtualCarrier({ ports: [20_000, 20_999] });
    rig.network.setConditions({ duplicateRate: 0.2, delayMinMs: 1, delayMaxMs: 4 });
    await placeMany(rig, random);
    const rung = new Map<string, number>();
    for (const { invite, timesRung } of [...rig.farA.calls.values(), ...rig.farB.calls.values()]) {
      rung.set(invite.uri.replace(/@.*/, ""), (rung.get(invite.uri.replace(/@.*/, "")) ?? 0) + timesRung);
    }
    // The target of the transfers is called many times, each time by another call.
    rung.delete("sip:+15550002");
    expect([...rung].filter(([, times]) => times > 1)).toEqual([]);
    expect(rung.size).toBeGreaterThan(CALLS / 2);
    expect(rig.errors).toEqual([]);
    expect(await rig.close()).toBe(0);
  });
});
