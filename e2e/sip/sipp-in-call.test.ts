import { createSocket } from "node:dgram";
import { once } from "node:events";
import { describe, expect } from "vitest";
import { hearClearly } from "./audio/hear-clearly.ts";
import { CALLER_PHRASE, WE_SAY } from "./audio/phrases.ts";
import { lineTest as test } from "./line-test.ts";
import { answers } from "./peers/answering-callees.ts";
import {
  forgetsToRefresh,
  holdsAndChangesCodec,
  pressesByInfo,
  refreshesItself,
  wantsFax,
  wantsToBeRefreshed,
} from "./peers/restless-callees.ts";
import { audioSdp } from "./peers/sipp-sdp.ts";

describe.concurrent("while we talk", () => {
  test("the callee may put us on hold, resume and change the codec, and is heard afterwards", async ({
    line,
    peers,
  }) => {
    const callee = await peers.sipp(holdsAndChangesCodec());
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await line.traced("< ACK", 3);
    placed.audio.say(WE_SAY);
    expect(await hearClearly(placed.audio, CALLER_PHRASE)).toBeGreaterThan(0.99);
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(placed.events.map(({ type }) => type)).toEqual(["answered", "ended"]);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("a fax machine that requests T.38 is refused and the call continues", async ({ line, peers }) => {
    const callee = await peers.sipp(wantsFax());
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await line.traced("> 488", 1);
    placed.audio.say(WE_SAY);
    expect(await hearClearly(placed.audio, CALLER_PHRASE)).toBeGreaterThan(0.99);
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("keys that the callee sends by INFO are recognized", async ({ line, peers }) => {
    const callee = await peers.sipp(pressesByInfo("5"));
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    expect(await placed.until("dtmf")).toMatchObject({ key: "5", durationMs: 160 });
    await placed.leg.hangup();
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("missing audio is reported, and reported again when it returns", async ({ line, peers }) => {
    const mouth = createSocket("udp4").bind(0, "127.0.0.1");
    await once(mouth, "listening");
    const callee = await peers.sipp(answers({ sdp: audioSdp({ port: mouth.address().port }) }));
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await placed.until("audio_missing");
    // Our first packet that returns is the missing audio.
    mouth.on("message", (packet, { port }) => mouth.send(packet, port, "127.0.0.1"));
    await placed.until("audio_returned");
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(await callee.finished).toMatchObject({ code: 0 });
    await new Promise<void>((resolve) => mouth.close(resolve));
  });

  test("the callee may refresh the session", async ({ line, peers }) => {
    const callee = await peers.sipp(refreshesItself());
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await line.traced("< UPDATE", 1);
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("we refresh the session in time", async ({ hurriedLine: line, peers }) => {
    const callee = await peers.sipp(wantsToBeRefreshed(90));
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    await line.traced("> INVITE", 2);
    await line.traced("> ACK", 2);
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("a callee that stops refreshing the session is hung up on", async ({ hurriedLine: line, peers }) => {
    const callee = await peers.sipp(forgetsToRefresh(90));
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    expect(await placed.ended()).toMatchObject({ cause: "lost", by: "network" });
    expect(await callee.finished).toMatchObject({ code: 0 });
  });
});
