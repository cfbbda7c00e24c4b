import { Flow } from "@parley/contract/flow";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { expect, test } from "vitest";
import { type PublishedCursor, type PublishedFlow, renderPublished } from "./render-published.ts";

const SINCE: PublishedCursor = { createdAt: new Date(0), id: "" };

function versionOf(id: string, text: string, more: { voice?: string; language?: string } = {}): PublishedFlow {
  const flow = Flow.parse({
    schemaVersion: 1,
    variables: [],
    settings: more.voice === undefined ? {} : { voice: more.voice },
    nodes: [
      { id: "start", type: "start", next: "bye" },
      { id: "bye", type: "end", text },
    ],
  });
  return { id, flow, language: more.language ?? "en-US", created_at: new Date(Number(id) * 1_000) };
}

function open(list: (after: PublishedCursor) => Promise<readonly PublishedFlow[]>, mayWork = () => true) {
  const clock = createVirtualClock();
  const rendered: { voiceId: string; text: string; signal: AbortSignal }[] = [];
  const troubles: unknown[] = [];
  const stop = renderPublished({
    natural: {
      async renderAhead(text, voiceId, signal) {
        rendered.push({ voiceId, text, signal });
        return true;
      },
    },
    mayWork,
    clock,
    list,
    since: SINCE,
    onTrouble: (error) => troubles.push(error),
  });
  return { clock, rendered, troubles, stop };
}

test("published versions are rendered in their own voice, once each, and not while the service starts", async () => {
  const versions = [versionOf("1", "One."), versionOf("2", "Two.", { voice: "am_adam" })];
  const seen: string[] = [];
  const { clock, rendered, stop } = open(async (after) => {
    seen.push(after.id);
    return versions.filter(({ id }) => id > after.id);
  });
  await clock.advance(59_999);
  expect(seen).toEqual([]);
  await clock.advance(1);
  const said = (wanted: string) => rendered.filter(({ text }) => text === wanted).map(({ voiceId }) => voiceId);
  expect([said("One."), said("Two."), said("Three.")]).toEqual([["af_heart"], ["am_adam"], []]);
  versions.push(versionOf("3", "Three."));
  await clock.advance(20_000);
  expect(seen).toEqual(["", "2"]);
  expect([said("One."), said("Three.")]).toEqual([["af_heart"], ["af_heart"]]);
  await stop();
  await clock.advance(100_000);
  expect(seen).toHaveLength(2);
});

test("nothing is rendered for light voices and for languages the natural ones do not speak", async () => {
  const { clock, rendered, stop } = open(async (after) =>
    [versionOf("1", "Eins.", { language: "de-DE" }), versionOf("2", "Two.", { voice: "rms" })].filter(
      ({ id }) => id > after.id,
    ),
  );
  await clock.advance(80_000);
  expect(rendered).toEqual([]);
  await stop();
});

test("an unavailable database is queried again, and the service is notified", async () => {
  let isAway = true;
  const { clock, rendered, troubles, stop } = open(async (after) => {
    if (isAway) throw new Error("away");
    return after.id === "" ? [versionOf("1", "One.")] : [];
  });
  await clock.advance(60_000);
  expect(troubles).toHaveLength(1);
  isAway = false;
  await clock.advance(20_000);
  expect(rendered.map(({ text }) => text)).toContain("One.");
  await stop();
  expect(rendered[0]?.signal?.aborted).toBe(true);
});

test("nothing is rendered while live calls are late", async () => {
  let isLate = true;
  const { clock, rendered, stop } = open(
    async (after) => (after.id === "" ? [versionOf("1", "One.")] : []),
    () => !isLate,
  );
  await clock.advance(70_000);
  expect(rendered).toEqual([]);
  isLate = false;
  await clock.advance(250);
  expect(rendered.map(({ text }) => text)).toContain("One.");
  await stop();
});
