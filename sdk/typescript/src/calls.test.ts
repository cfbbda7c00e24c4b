import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConnectionError, NotFoundError, TimeoutError } from "./errors.ts";
import { lostConnection, ok, openFakeService, refusal, stream } from "./testing/fake-service.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-sdk-"));
afterAll(() => rmSync(folder, { recursive: true }));

const event = (sequence: number, type: string) =>
  `id: ${sequence}\nevent: ${type}\ndata: ${JSON.stringify({ sequence, type, createdAt: "2026-01-31T09:30:00.000Z", data: {} })}\n\n`;
const [first, second, last] = [event(1, "call.initiated"), event(2, "call.dialing"), event(3, "call.completed")];

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("following a call", () => {
  test("yields each event and ends after the final one", async () => {
    const { parley, sent } = openFakeService([stream(`: open\n\n${first}: still here\n\n${second}${last}`)]);
    const events = await collect(parley.calls.follow("call_1"));
    expect(events.map(({ type }) => type)).toEqual(["call.initiated", "call.dialing", "call.completed"]);
    expect(sent[0]?.headers.get("accept")).toBe("text/event-stream");
    expect(sent[0]?.headers.get("last-event-id")).toBeNull();
  });

  test("a broken connection is resumed after the last event, and none is repeated or missed", async () => {
    const { parley, sent } = openFakeService([
      stream(`${first}id: 2\nevent: call.dia`, "breaks"),
      lostConnection(),
      stream(`${first}${second}`),
      refusal(503, "unavailable", true),
      stream(last),
    ]);
    const events = await collect(parley.calls.follow("call_1"));
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(sent.map(({ headers }) => headers.get("last-event-id"))).toEqual([null, "1", "1", "2", "2"]);
  });

  test("begins after the given event", async () => {
    const { parley, sent } = openFakeService([stream(last)]);
    await collect(parley.calls.follow("call_1", { after: 2 }));
    expect(sent[0]?.headers.get("last-event-id")).toBe("2");
  });

  test("a service that keeps hanging up is given up, and a refusal is reported", async () => {
    const { parley, sent } = openFakeService([stream(""), stream(""), refusal(404, "call_not_found", false)], {
      maxRetries: 1,
    });
    await expect(collect(parley.calls.follow("call_1"))).rejects.toBeInstanceOf(ConnectionError);
    expect(sent).toHaveLength(2);
    await expect(collect(parley.calls.follow("call_1"))).rejects.toBeInstanceOf(NotFoundError);
  });

  test("stopping to read closes the connection", async () => {
    let isCanceled = false;
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
      cancel: () => {
        isCanceled = true;
      },
    });
    const { parley } = openFakeService([new Response(endless)]);
    for await (const { sequence } of parley.calls.follow("call_1")) {
      expect(sequence).toBe(1);
      break;
    }
    expect(isCanceled).toBe(true);
  });

  test("events may be divided by any kind of line end, and their data into lines", async () => {
    const data = JSON.stringify({ sequence: 1, type: "call.completed", createdAt: "x", data: {} }, null, 1);
    const text = `event: call.completed\r\n${data
      .split("\n")
      .map((line) => `data:${line}\r`)
      .join("")}\r\n`;
    const { parley } = openFakeService([stream(text)]);
    expect(await collect(parley.calls.follow("call_1"))).toMatchObject([{ type: "call.completed" }]);
  });
});

describe("waiting for a call", () => {
  const talking = () => ok({ id: "call_1", phase: "talking" });
  const ended = (more: object = {}) => ok({ id: "call_1", phase: "ended", status: "completed", ...more });

  test("places it, follows it and returns it as it ended", async () => {
    const { parley, sent } = openFakeService([talking(), talking(), stream(`${first}${last}`), ended()]);
    const call = await parley.calls.createAndWait({ phoneNumber: "+15550100001", agentId: "agt_1" });
    expect(call).toMatchObject({ status: "completed" });
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/calls",
      "GET /api/v1/calls/call_1",
      "GET /api/v1/calls/call_1/events",
      "GET /api/v1/calls/call_1",
    ]);
  });

  test("asks from time to time when the account has too many streams open", async () => {
    const full = () => refusal(429, "rate_limited", true, { "retry-after": "5" });
    const { parley, left } = openFakeService([talking(), full(), talking(), full(), ended()], { maxRetries: 0 });
    expect(await parley.calls.wait("call_1")).toMatchObject({ phase: "ended" });
    expect(left).toEqual([]);
  });

  test("waits for what comes after the end if asked to", async () => {
    const { parley } = openFakeService([ended(), ended(), ended({ analysis: { status: "ready" } })]);
    const call = await parley.calls.wait("call_1", { until: ({ analysis }) => analysis?.status === "ready" });
    expect(call.analysis?.status).toBe("ready");
  });

  test("gives up after the given time", async () => {
    const silent = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
        }),
      );
    const { parley } = openFakeService([talking(), silent()]);
    const waiting = parley.calls.wait("call_1", { waitMs: 20 });
    await expect(waiting).rejects.toBeInstanceOf(TimeoutError);
  });
});

test("a live transcript survives a lost connection without repeating items", async () => {
  const item = (number: number) => `event: item\ndata: ${JSON.stringify({ number, item: { type: "note" } })}\n\n`;
  const { parley } = openFakeService([
    stream(`${item(1)}${item(2)}event: removed\ndata: {"number":2}\n\n`, "breaks"),
    stream(`${item(1)}${item(3)}event: ready\ndata: {"items":2}\n\n`),
  ]);
  const changes = await collect(parley.calls.followTranscript("call_1"));
  expect(changes.map(({ type, number }) => `${type} ${number}`)).toEqual(["item 1", "item 2", "removed 2", "item 3"]);
});

test("changes of all calls say when some may have been missed", async () => {
  const { parley } = openFakeService([
    stream('event: call\ndata: {"callId":"call_1","version":3}\n\n', "breaks"),
    stream("event: refetch\ndata: {}\n\nevent: added_later\ndata: {}\n\n"),
    refusal(403, "insufficient_scope", false),
  ]);
  const changes: unknown[] = [];
  const following = (async () => {
    for await (const change of parley.events.follow()) changes.push(change);
  })();
  await expect(following).rejects.toMatchObject({ status: 403 });
  const refetch = { type: "refetch" };
  expect(changes).toEqual([refetch, { type: "call", callId: "call_1", version: 3 }, refetch, refetch]);
});

describe("saving a recording", () => {
  test("writes the file", async () => {
    const { parley } = openFakeService([new Response("RIFF")]);
    await parley.calls.saveRecording("call_1", join(folder, "call.wav"));
    expect(readFileSync(join(folder, "call.wav"), "utf8")).toBe("RIFF");
  });

  test("a download that breaks off leaves no file", async () => {
    const { parley } = openFakeService([stream("RIFF and more", "breaks")]);
    const file = join(folder, "broken.wav");
    await expect(parley.calls.saveRecording("call_1", file)).rejects.toBeInstanceOf(ConnectionError);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes("broken"))).toEqual([]);
  });
});
