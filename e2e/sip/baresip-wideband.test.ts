import { describe, expect } from "vitest";
import { hearClearly } from "./audio/hear-clearly.ts";
import { likenessBetweenSamples } from "./audio/likeness.ts";
import { CALLEE_PHRASE, CALLEE_SAYS, CALLER_PHRASE, WE_SAY } from "./audio/phrases.ts";
import { talkBothWays } from "./audio/talk-both-ways.ts";
import { lineTest as test } from "./line-test.ts";

/** Not concurrent: changing the rate of whole recordings takes longer than other calls could wait. */
describe("a third-party telephone with wideband codecs", () => {
  test("is spoken to in G.722", async ({ line, peers }) => {
    const callee = await peers.baresip({ codecs: ["G722"], says: CALLEE_SAYS });
    line.addTrunk(callee.port, { codecs: ["G722", "PCMU"] });
    await talkBothWays(line, callee, likenessBetweenSamples);
  });

  test("is spoken to in Opus, and sees our keys", async ({ line, peers }) => {
    const callee = await peers.baresip({ codecs: ["OPUS"], says: CALLEE_SAYS });
    line.addTrunk(callee.port, { codecs: ["OPUS", "PCMU"] });
    const placed = await line.place();
    await placed.until("answered");
    placed.audio.say(WE_SAY);
    const clearest = await hearClearly(placed.audio, CALLEE_PHRASE, { measure: likenessBetweenSamples });
    placed.leg.sendDtmf("7");
    await callee.tells("CALL_DTMF_END", 1);
    await placed.leg.hangup();
    await callee.tells("CALL_CLOSED");
    const [heardByCallee = new Int16Array()] = await callee.recordings.heard();
    // Opus models speech and changes the phase of a gliding tone a little.
    expect(clearest).toBeGreaterThan(0.95);
    expect(likenessBetweenSamples(CALLER_PHRASE, heardByCallee)).toBeGreaterThan(0.95);
    expect((await placed.leg.statistics())?.packetsLost).toBe(0);
  });

  test("that has none of them is spoken to in the next codec that both have", async ({ line, peers }) => {
    const callee = await peers.baresip({ codecs: ["PCMA"], says: CALLEE_SAYS });
    line.addTrunk(callee.port, { codecs: ["OPUS", "G722", "PCMU", "PCMA"] });
    await talkBothWays(line, callee);
  });
});
