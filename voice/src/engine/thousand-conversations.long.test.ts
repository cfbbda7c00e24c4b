import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { holdLife } from "./testing/conversation-lives.ts";
import { openScene } from "./testing/conversation-scene.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const CONVERSATIONS = 1_000;
/** How many are held between two heap measurements. */
const BATCH = 250;
const heapMb = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
};

test("a thousand conversations leave heap, timers and listeners where they began", { timeout: 120_000 }, async () => {
  // The first ones let the engine compile what it needs.
  for (let index = 0; index < 50; index++) await holdLife(index);
  const handles = process.getActiveResourcesInfo().length;
  const startedMs = performance.now();
  const heapsMb = [heapMb()];
  let events = 0;
  for (let index = 0; index < CONVERSATIONS; index++) {
    const { leftovers, events: count } = await holdLife(index);
    expect(leftovers, `conversation ${index}`).toEqual({ timers: 0, watches: 0, streams: 0 });
    events += count;
    if ((index + 1) % BATCH === 0) heapsMb.push(heapMb());
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const grownMb = heapsMb.slice(1).map((heap, at) => heap - (heapsMb[at] ?? 0));
  console.log(
    `${CONVERSATIONS} conversations: ${events} events, ${Math.round(events / seconds)} events/s with sound, ` +
      `heap more by ${grownMb.map((mb) => mb.toFixed(2)).join(", ")} MB`,
  );
  // A leak grows with every batch, compiled or discarded code only with one: a kilobyte for each would be a leak.
  expect(grownMb.toSorted((a, b) => a - b)[1]).toBeLessThan(BATCH / 1_000);
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(handles + 1);
});

test("a conversation of half an hour needs no more memory at its end than at its beginning", {
  timeout: 60_000,
}, async () => {
  const scene = openScene({ brain: { reply: () => ["All right."] }, isRecorded: false });
  await scene.greet();
  const speak = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      await scene.advance(scene.say("and on."));
      await scene.advance(3_500);
    }
  };
  await speak(30);
  const before = heapMb();
  await speak(420);
  const grownMb = heapMb() - before;
  console.log(
    `${scene.brain.turns.length} turns in ${Math.round(scene.line.positionMs / 60_000)} minutes: heap ${grownMb.toFixed(2)} MB more`,
  );
  scene.line.end();
  await scene.advance(3_000);
  await scene.engine.close();
  expect(scene.brain.turns.length).toBe(450);
  expect(grownMb).toBeLessThan(4);
});
