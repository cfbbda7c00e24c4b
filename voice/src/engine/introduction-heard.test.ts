import type { FlowNode } from "@parley/contract/flow";
import { afterEach, expect, it } from "vitest";
import { openRig } from "../conversation/testing/flow-rig.ts";
import { openScene, type Scene } from "./testing/conversation-scene.ts";

const GREETING = "Hello Ada, this is Bright Dental about your appointment on Tuesday morning at ten o'clock.";
const IDENTIFICATION = "This is Bright Dental about your appointment.";
const DISCLOSURE = "This is an automated call, and it is recorded.";
/** The keys cannot be taken back. */
const NODES: readonly FlowNode[] = [
  { id: "hello", type: "say", text: GREETING, next: "confirm" },
  {
    ...{ id: "confirm", type: "ask", text: "Shall I confirm it?", answer: "yes_no", saveAs: "confirmed" },
    ...{ exits: [{ when: "no", next: "bye" }], next: "keys", otherwise: "bye" },
  },
  { id: "keys", type: "dtmf", keys: "42", next: "bye" },
  { id: "bye", type: "end", text: "Thank you. Goodbye." },
];
const CHUNK_MS = 200;
/** A voice that is lowered has a fifth of this. */
const FULL_SHARE = 0.5;

let scene: Scene;
afterEach(async () => {
  scene.line.end();
  const closed = scene.engine.close();
  await scene.advance(3_000);
  await closed;
});

/** The loudest sample that was played in each chunk of the call. */
function open(): Map<number, number> {
  const peaks = new Map<number, number>();
  const settings = { identification: IDENTIFICATION, disclosure: DISCLOSURE };
  scene = openScene({
    setup: { brain: openRig(NODES, { settings }).brain },
    line: {
      afterFrame: (played, positionMs) => {
        const chunk = Math.floor(positionMs / CHUNK_MS);
        peaks.set(chunk, Math.max(peaks.get(chunk) ?? 0, ...played.map(Math.abs)));
      },
    },
  });
  return peaks;
}

const isAgentSpeaking = () => {
  const spoke = scene.line.agentSpoke.at(-1);
  return spoke !== undefined && scene.line.positionMs - spoke.endMs < 40;
};

/** Waits until the agent speaks, and speaks over it after this long. */
async function speakOver(text: string, afterMs: number): Promise<void> {
  await scene.clock.advanceUntil(isAgentSpeaking, 20_000);
  await scene.advance(afterMs);
  expect(isAgentSpeaking(), "it is still speaking").toBe(true);
  await scene.advance(scene.say(text));
}

it.each([
  ["in the greeting", 3_100],
  ["in the disclosure", 5_600],
])(
  "who calls and that it is recorded is heard whole before the agent acts, with a callee who interrupts %s and again",
  async (_, firstMs) => {
    const peaks = open();
    await scene.prepare();
    scene.line.answer();
    await speakOver("yes yes please do go ahead and confirm it", firstMs);
    await scene.clock.advanceUntil(() => !isAgentSpeaking(), 5_000);
    expect(scene.notes("agent_said")[0]).toMatchObject({ wasInterrupted: true });
    await speakOver("yes I said yes go on now please", 900);
    for (let times = 0; times < 4 && scene.line.keysSent.length === 0; times++) {
      await scene.clock.advanceUntil(() => !isAgentSpeaking(), 30_000);
      await scene.advance(700);
      if (!isAgentSpeaking() && scene.line.keysSent.length === 0) await scene.advance(scene.say("yes"));
      await scene.advance(2_500);
    }
    expect(scene.line.keysSent).toEqual(["42"]);
    // What is said along with the keys is recorded when all of it was heard.
    await scene.advance(8_000);
    const pressedMs = scene.notes("dtmf").find(({ by }) => by === "agent")?.atMs ?? 0;
    const said = scene.notes("agent_said");
    const story = JSON.stringify(said.map(({ heardText }) => heardText));
    const naming = said.find(({ heardText }) => heardText.includes(IDENTIFICATION) || heardText.includes(GREETING));
    const disclosing = said.find(({ heardText }) => heardText.includes(DISCLOSURE));
    const disclosedMs = disclosing?.words.find(({ text }) => text === "recorded.")?.endMs ?? Number.POSITIVE_INFINITY;
    expect(naming?.startMs, story).toBeLessThan(pressedMs);
    expect(disclosedMs, story).toBeLessThanOrEqual(pressedMs);
    // Not lowered either, while the callee spoke over what was repeated.
    const full = Math.max(...peaks.values());
    const last = Math.floor(disclosedMs / CHUNK_MS) - 1;
    for (let chunk = Math.ceil((disclosing?.startMs ?? 0) / CHUNK_MS); chunk < last; chunk++) {
      expect(peaks.get(chunk), `at ${chunk * CHUNK_MS} ms`).toBeGreaterThan(FULL_SHARE * full);
    }
  },
);
