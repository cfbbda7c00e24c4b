import { createFrame, framesOf, samplesIn } from "@parley/audio/frame";
import { afterEach, describe, expect, it } from "vitest";
import { runCallee } from "../callees/callee-machine.ts";
import { human } from "../callees/human.ts";
import type { CalleeRecognizer } from "../ports/callee-recognizer.ts";
import { agentSpeech } from "../testing/virtual-call.ts";
import { AudioCallee } from "./audio-callee.ts";
import { LineBook } from "./line-book.ts";

interface Understanding {
  readonly utterance: Int16Array;
  readonly signal: AbortSignal;
  readonly answer: (words: string) => void;
  readonly fail: () => void;
}

/** A recognizer that answers on demand. */
function createSlowRecognizer() {
  const asked: Understanding[] = [];
  const recognizer: CalleeRecognizer = {
    understand(utterance, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      asked.push({ utterance, signal, answer: resolve, fail: () => reject(new Error("deaf")) });
      return promise;
    },
  };
  return { recognizer, asked };
}

describe("a callee with a recognizer", () => {
  const { recognizer, asked } = createSlowRecognizer();
  const said: string[] = [];
  const person = runCallee(human({ greeting: "Hello?" }));
  const listened: AudioCallee[] = [];

  function open(): AudioCallee {
    asked.length = 0;
    said.length = 0;
    const machine = runCallee(human({ greeting: "Hello?" }));
    const callee = new AudioCallee({
      callee: {
        ...machine,
        tell(event) {
          const effects = machine.tell(event);
          for (const effect of effects) if (effect.type === "say") said.push(effect.text);
          return effects;
        },
      },
      book: new LineBook(null),
      recognizer,
      voices: { human: "human", machine: "machine" },
      noise: null,
      onKey: () => undefined,
      onHangUp: () => undefined,
    });
    listened.push(callee);
    return callee;
  }

  function hear(callee: AudioCallee, samples: Int16Array): void {
    for (const frame of framesOf(samples)) callee.tick(frame, createFrame());
  }

  const silence = (durationMs: number) => new Int16Array(samplesIn(durationMs));

  afterEach(() => {
    for (const callee of listened.splice(0)) callee.close();
  });

  it("understands what the agent said and answers it", async () => {
    const callee = open();
    hear(callee, silence(2_000));
    hear(callee, agentSpeech(1_500));
    hear(callee, silence(1_000));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.utterance.length).toBeGreaterThan(samplesIn(1_500));
    asked[0]?.answer("And at what time?");
    await Promise.resolve();
    hear(callee, silence(40));
    expect(said).toEqual(["Hello?", "At ten in the morning."]);
  });

  it("abandons half a sentence when the agent continues, and understands the whole of it", async () => {
    const callee = open();
    hear(callee, silence(2_000));
    hear(callee, agentSpeech(1_000));
    hear(callee, silence(1_000));
    hear(callee, agentSpeech(1_000));
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.answer("Goodbye.");
    hear(callee, silence(1_000));
    await Promise.resolve();
    hear(callee, silence(100));
    expect(said).toEqual(["Hello?"]);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.utterance.length).toBeGreaterThan(samplesIn(2_800));
  });

  it("still answers something when nothing was understood", async () => {
    const callee = open();
    hear(callee, silence(2_000));
    hear(callee, agentSpeech(1_500));
    hear(callee, silence(1_000));
    asked[0]?.fail();
    await new Promise((resolve) => setImmediate(resolve));
    hear(callee, silence(40));
    expect(said).toHaveLength(2);
    expect(person.lines.map(({ text }) => text)).toContain(said[1]);
  });

  it("does not wait indefinitely for the words", () => {
    const callee = open();
    hear(callee, silence(2_000));
    hear(callee, agentSpeech(1_500));
    hear(callee, silence(7_000));
    expect(said).toHaveLength(2);
  });

  it("sends no requests after the call", () => {
    const callee = open();
    hear(callee, silence(2_000));
    hear(callee, agentSpeech(1_500));
    hear(callee, silence(1_000));
    callee.close();
    expect(asked[0]?.signal.aborted).toBe(true);
  });
});
