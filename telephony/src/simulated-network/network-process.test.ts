import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchReport } from "./fetch-report.ts";
import { LINE_MAX_BYTES } from "./network-protocol.ts";
import { waitForReal } from "./testing/remote-rigs.ts";
import { type NetworkProcess, startNetworkProcess } from "./testing/start-network-process.ts";

let network: NetworkProcess;

beforeAll(async () => {
  network = await startNetworkProcess({ speed: 40 });
});

afterAll(() => network.kill("SIGTERM"));

/** Says some lines to the network and returns as many lines as are expected of it. */
async function say(text: string, repliesExpected: number): Promise<unknown[]> {
  const socket = connect({ host: network.host, port: network.port });
  const replies: unknown[] = [];
  socket.write(text);
  const collecting = async () => {
    for await (const line of createInterface({ input: socket })) {
      replies.push(JSON.parse(line));
      if (replies.length === repliesExpected) return replies;
    }
    return replies;
  };
  try {
    return await waitForReal(collecting(), "the network's replies");
  } finally {
    if (!socket.destroyed) {
      socket.destroy();
      await once(socket, "close");
    }
  }
}

const DIAL = { callId: "c", dialId: "d", to: "+15550100001", from: null };

describe("the process of the simulated network", () => {
  it.each([
    ["no JSON", "hello", {}],
    ["no object", "[1]", {}],
    ["an unknown type", '{"type":"sing","leg":4}', { leg: 4 }],
    ["no leg number", `{"type":"place","dial":${JSON.stringify(DIAL)}}`, {}],
    ["a negative leg number", '{"type":"hangup","leg":-1}', {}],
    ["no dial", '{"type":"place","leg":1}', { leg: 1 }],
    ["an empty dialId", place({ ...DIAL, dialId: "" }), { leg: 1 }],
    ["an endless number", place({ ...DIAL, to: "1".repeat(1_000) }), { leg: 1 }],
    ["a plan that goes back in time", place({ ...DIAL, simulation: { answerAfterMs: -1 } }), { leg: 1 }],
    ["a step that is none", place({ ...DIAL, simulation: { script: [{ sing: true }] } }), { leg: 1 }],
    ["a voice without a name", place({ ...DIAL, simulation: { voice: "" } }), { leg: 1 }],
    ["more noise than there is", place({ ...DIAL, simulation: { noise: 1.5 } }), { leg: 1 }],
    ["keys that no telephone has", '{"type":"keys","leg":2,"keys":"1x"}', { leg: 2 }],
    ["a transfer to nowhere", '{"type":"transfer","leg":2,"transfer":{"how":"refer"}}', { leg: 2 }],
    ["a transfer of a new kind", transfer({ how: "teleport" }), { leg: 2 }],
    ["audio that is no base64", '{"type":"audio","leg":2,"pcm":"?!"}', { leg: 2 }],
    ["more audio than fits", `{"type":"audio","leg":2,"pcm":"${"A".repeat(20_000)}"}`, { leg: 2 }],
    ["a silence without end", '{"type":"audio","leg":2,"silence":1e9}', { leg: 2 }],
    ["statistics that nobody asks for", '{"type":"statistics","leg":2}', { leg: 2 }],
    ["half an orphan", '{"type":"end_orphan","request":3,"orphan":{"callId":"c"}}', { request: 3 }],
  ])("answers a line with %s by an error and continues", async (_, line, numbers) => {
    const question = '{"type":"end_orphan","request":9,"orphan":{"callId":"c","dialId":"nobody"}}';
    const [error, answer] = await say(`${line}\n${question}\n`, 2);
    expect(error).toEqual({ type: "error", message: expect.any(String), ...numbers });
    expect(answer).toEqual({ type: "orphan", request: 9, gone: true });
  });

  it("throws a line that is too long away and reads the next one", async () => {
    const [error, answer] = await say(`${"x".repeat(3 * LINE_MAX_BYTES)}\n{"type":"report","request":5}\n`, 2);
    expect(error).toMatchObject({ type: "error" });
    expect(answer).toMatchObject({ type: "report", request: 5 });
  });

  it("takes orders for a leg that it does not know as nothing", async () => {
    const orders = ['{"type":"keys","leg":77,"keys":"1"}', transfer({}), '{"type":"audio","leg":77,"pcm":"AAAA"}'];
    const question = '{"type":"statistics","leg":77,"request":6}';
    const replies = await say(`${[...orders, question].join("\n")}\n`, 1);
    expect(replies).toEqual([{ type: "statistics", request: 6, statistics: null }]);
  });

  it("hangs up a leg when the order comes in the same breath as the dial", async () => {
    const replies = await say(`${place({ ...DIAL, dialId: "breath" })}\n{"type":"hangup","leg":1}\n`, 1);
    expect(replies).toMatchObject([{ type: "leg", leg: 1, event: { type: "ended", cause: "canceled" } }]);
  });

  it("does not assign one leg number to two live legs", async () => {
    const lines = [place({ ...DIAL, dialId: "first" }), place({ ...DIAL, dialId: "second" })];
    const replies = await say(`${lines.join("\n")}\n`, 1);
    expect(replies).toMatchObject([{ type: "error" }]);
    const { records } = await fetchReport(network.host, network.port);
    expect(records.map(({ dialId }) => dialId)).not.toContain("second");
  });

  it("answers reports in turn to one that asks faster than it reads", async () => {
    const questions = Array.from({ length: 50 }, (_, request) => `{"type":"report","request":${request}}\n`);
    const { records } = await fetchReport(network.host, network.port);
    const replies = (await say(questions.join(""), 50 * (records.length + 1))) as { type: string; request: number }[];
    const answered = replies.filter(({ type }) => type === "report").map(({ request }) => request);
    expect(answered).toEqual(questions.map((_, request) => request));
  });

  it("ends on SIGTERM with its legs still live", async () => {
    const short = await startNetworkProcess({ speed: 1 });
    const socket = connect({ host: short.host, port: short.port });
    const closed = once(socket, "close");
    socket.write(`${place(DIAL)}\n`);
    await once(socket, "data");
    await waitForReal(short.kill("SIGTERM"), "the end of the process");
    await waitForReal(closed, "the end of the connection");
  });
});

function place(dial: object): string {
  return JSON.stringify({ type: "place", leg: 1, dial });
}

function transfer(changes: object): string {
  const plain = { to: "+15550100001", how: "refer", dialId: "t", ringTimeoutMs: 1_000, ...changes };
  return JSON.stringify({ type: "transfer", leg: 2, transfer: plain });
}
