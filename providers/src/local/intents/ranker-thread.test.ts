import type { IntentCandidate } from "@parley/voice/ports/intent-ranker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRanker } from "../testing/load-ranker.ts";
import { type ConnectedRanker, connectRanker, type RankerThread, startRankerThread } from "./ranker-thread.ts";

let intents: RankerThread;
let ranker: ConnectedRanker;
const failures: string[] = [];

beforeAll(() => {
  intents = startRankerThread({ onFailure: (reason) => failures.push(reason) });
  ranker = connectRanker(intents.connect());
});

afterAll(async () => {
  await ranker.close();
  await intents.stop();
  expect(failures).toEqual([]);
}, 60_000);

const VISIT: readonly IntentCandidate[] = [
  { id: "come", phrases: ["I will come", "I'll be there"] },
  { id: "move", phrases: ["another day", "reschedule"] },
  { id: "cancel", phrases: ["cancel", "I won't come"] },
];
/** Longer than the thread itself waits. */
const LOADING_MS = 180_000;

async function bestFor(text: string) {
  const scores = await ranker.rank(text, VISIT);
  return scores.toSorted((one, other) => other.score - one.score)[0];
}

describe("the local ranker", () => {
  it(
    "loads nothing before the first request",
    async () => {
      expect(await intents.processIds()).toEqual([]);
      await loadRanker(ranker);
      expect(await intents.processIds()).toHaveLength(1);
    },
    LOADING_MS,
  );

  it(
    "finds what is meant by other words, and is more certain of the same words",
    async () => {
      expect(await bestFor("I plan to attend.")).toMatchObject({ id: "come" });
      expect(await bestFor("Could we choose a different date?")).toMatchObject({ id: "move" });
      const same = await bestFor("Another day");
      expect(same?.id).toBe("move");
      expect(same?.score).toBeCloseTo(1, 3);
      expect((await bestFor("My cat is sitting on the sofa."))?.score).toBeLessThan(0.48);
    },
    LOADING_MS,
  );

  it(
    "answers in the order of the candidates, including those without phrases, and for words without letters",
    async () => {
      const scores = await ranker.rank("cancel", [{ id: "none", phrases: [] }, ...VISIT]);
      expect(scores.map(({ id }) => id)).toEqual(["none", "come", "move", "cancel"]);
      expect(scores[0]?.score).toBe(0);
      expect(await ranker.rank("...", VISIT)).toEqual(VISIT.map(({ id }) => ({ id, score: 0 })));
      expect(await ranker.rank("a".repeat(5_000), VISIT)).toHaveLength(3);
      expect(await ranker.rank("\u202e🎉 né", VISIT)).toHaveLength(3);
    },
    LOADING_MS,
  );

  it(
    "continues in a new process when the old one was killed",
    async () => {
      const [pid] = await intents.processIds();
      process.kill(pid ?? 0, "SIGKILL");
      await loadRanker(ranker);
      expect(await bestFor("I intend to attend the appointment.")).toMatchObject({ id: "come" });
      expect(await intents.processIds()).not.toContain(pid);
    },
    LOADING_MS,
  );

  it("aborts immediately what is no longer needed", async () => {
    const controller = new AbortController();
    const ranking = ranker.rank("something that nobody waits for", VISIT, controller.signal);
    controller.abort(new Error("the callee went on"));
    await expect(ranking).rejects.toThrow("the callee went on");
  });

  it("rejects after it was closed, and leaves no one waiting", async () => {
    const other = connectRanker(intents.connect());
    const ranking = other.rank("is anybody there", VISIT);
    await other.close();
    await expect(ranking).rejects.toMatchObject({ name: "ProviderError" });
    await expect(other.rank("and now", VISIT)).rejects.toMatchObject({ name: "ProviderError" });
  });
});

it("stops even if a port was connected and never used", async () => {
  const other = startRankerThread({ onFailure: () => undefined });
  const port = other.connect();
  const isOver = await Promise.race([
    other.stop().then(() => true),
    new Promise((resolve) => setTimeout(resolve, 20_000, false)),
  ]);
  port.close();
  expect(isOver).toBe(true);
});
