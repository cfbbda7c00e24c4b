import { createPlayout } from "@parley/audio/playout-layout";
import { createRing } from "@parley/audio/ring";
import { createFakeSpeechRecognizer } from "@parley/voice/fakes/fake-speech-recognizer";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import type { LineEvent } from "@parley/voice/ports/line";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { ConversationOptions, VoiceEngine } from "@parley/voice/ports/voice-engine";
import { expect, test } from "vitest";
import type { EngineRecipe } from "../engines/engine-catalog.ts";
import type { ConversationEvent } from "./conversation-messages.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import { type ConversationMakers, HeldConversation, type NoteIncident, type ReadCall } from "./held-conversation.ts";
import { claimFloor, createFloor } from "./line-floor.ts";
import { planOf } from "./testing/open-scripted-pool.ts";

function openFloor() {
  const events: ConversationEvent[] = [];
  const media = { heard: createRing(), played: createRing(), playout: createPlayout() };
  const held = new HeldConversation(media, createFloor(), (each) => events.push(each));
  const hold = (makers: ConversationMakers, plan: ConversationPlan) =>
    held.hold(makers, plan, async () => ({ isAllowed: true }));
  return { events, hold };
}

/** A conversation of an engine that is ready only when hurried, and records the events it received. */
function holdOne() {
  const floor = createFloor();
  const told: LineEvent[] = [];
  const events: ConversationEvent[] = [];
  const finished = Promise.withResolvers<void>();
  const engine: VoiceEngine = {
    name: "slow",
    async prepare({ hurry }: ConversationOptions) {
      await new Promise<void>((resolve) => hurry?.addEventListener("abort", () => resolve()));
      return {
        turnId: 3,
        finished: finished.promise,
        endPolitely: () => undefined,
        notify(event) {
          told.push(event);
          if (event.type === "ended") finished.resolve();
        },
      };
    },
    close: async () => undefined,
  };
  const media = { heard: createRing(), played: createRing(), playout: createPlayout() };
  const held = new HeldConversation(media, floor, (each) => events.push(each));
  const read: ReadCall = { setup: {} as ReadCall["setup"], release: () => undefined };
  let noteIncident: NoteIncident = () => undefined;
  const readPlan: ConversationMakers["readPlan"] = (_plan, _mayDial, note) => {
    noteIncident = note;
    return read;
  };
  const over = held.hold({ engine, readPlan }, planOf("call_1"), async () => ({ isAllowed: true }));
  return { floor, told, events, held, over, noteIncident };
}

test("a failure of the agent's tools belongs to the turn in progress, and to none before there is a conversation", async () => {
  const { events, held, over, noteIncident } = holdOne();
  noteIncident("voice_changed", "the voice is missing");
  held.tell({ type: "answered" });
  await new Promise((resolve) => setImmediate(resolve));
  noteIncident("tool_failed", "the request could not be sent");
  held.tell({ type: "ended" });
  await over;
  const incidents = events.flatMap((each) =>
    each.type === "noted" && each.entry.type === "incident" ? [[each.entry.what, each.entry.turnId]] : [],
  );
  expect(incidents).toEqual([
    ["voice_changed", undefined],
    ["tool_failed", 3],
  ]);
});

test("a part, or a language, that cannot be opened is an incident of the call, which goes on with the others", async () => {
  const { events, hold } = openFloor();
  const unopened = new ProviderError("vendor", "the vendor is not known here", { retryable: false });
  const makers: ConversationMakers = {
    engine: {
      name: "none",
      prepare: () => Promise.reject(new Error("the test ends here")),
      close: async () => undefined,
    },
    readPlan: (_plan, _mayDial, _note, _parts, others) => {
      expect([...(others?.keys() ?? [])]).toEqual(["es-ES"]);
      return { setup: {} as ReadCall["setup"], release: () => undefined };
    },
    async partsFor({ language }, { noteIncident }) {
      if (language !== "es-ES") noteIncident("recognition_failed", "alpha could not be opened");
      if (language === "fr-FR") throw unopened;
      return {
        recognizer: createFakeSpeechRecognizer(new MarkedSpeech()),
        synthesizer: createFakeSpeechSynthesizer(),
        model: null,
      };
    },
  };
  const others = ["fr-FR", "es-ES"].map((language) => ({ language, engine: {} as EngineRecipe, voiceId: "" }));
  await hold(makers, { ...planOf("call_1"), inOtherLanguages: others });
  const incidents = events.flatMap((each) =>
    each.type === "noted" && each.entry.type === "incident" ? [`${each.entry.what}: ${each.entry.reason}`] : [],
  );
  expect(incidents).toEqual([
    "recognition_failed: alpha could not be opened",
    "recognition_failed: in fr-FR: alpha could not be opened",
  ]);
});

test("a callee who answers before preparation is complete does not wait for it", async () => {
  const { told, held, over } = holdOne();
  held.tell({ type: "answered" });
  held.tell({ type: "ended" });
  await over;
  expect(told.map(({ type }) => type)).toEqual(["answered", "ended"]);
});

test("a conversation that comes after another voice has spoken for it says nothing", async () => {
  const { floor, told, held, over } = holdOne();
  claimFloor(floor, "fallback");
  held.tell({ type: "answered" });
  await over;
  expect(told.map(({ type }) => type)).toEqual(["ended"]);
});
