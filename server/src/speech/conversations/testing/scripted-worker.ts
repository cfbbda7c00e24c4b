import { parentPort } from "node:worker_threads";
import type { Brain } from "@parley/voice/ports/brain";
import type { Conversation, ConversationOptions, VoiceEngine } from "@parley/voice/ports/voice-engine";
import { serveConversations } from "../serve-conversations.ts";

/**
 * A thread that holds conversations without audio: keys that the callee presses are its orders. Everything else is as
 * in the real one, so that what happens between the threads can be tried.
 */

async function* nothing(): AsyncGenerator<never> {
  yield* [];
}

const NO_BRAIN: Brain = {
  expectation: { kind: "nothing", answers: [], length: null, keysMax: null, settings: {} },
  likelyClauses: () => [],
  farewell: () => "",
  open: nothing,
  reply: nothing,
  prepare: nothing,
  commit: () => undefined,
  withdraw: () => undefined,
  noteHeard: () => undefined,
  permitEffects: () => undefined,
  disregardCallee: () => ({}),
  undo: () => undefined,
};

if (parentPort === null) throw new Error("this file is the inside of a thread");
const open = new Set<() => void>();

async function converse({ line, journal, callId }: ConversationOptions, mayDial: (to: string) => Promise<unknown>) {
  if (callId === "call_refused") throw new Error("it cannot be prepared");
  const finished = Promise.withResolvers<void>();
  const note = (text: string) => journal.note({ type: "note", text, atMs: 0 });
  const finish = () => {
    open.delete(finish);
    finished.resolve();
  };
  open.add(finish);
  const obey: Readonly<Record<string, () => unknown>> = {
    "1": () => note(`round trip ${line.roundTripMs()}`),
    "2": () => line.sendDtmf("42"),
    "3": () => line.transfer({ to: "+15550100099", how: "auto" }),
    "4": () => mayDial("+15550100099").then((permission) => note(JSON.stringify(permission))),
    "5": () => {
      journal.note({ type: "over", reason: "agent_hangup" });
      line.hangup();
      finish();
    },
    "8": () => {
      for (;;) if (Number.isNaN(callId.length)) return;
    },
    "9": () => {
      setImmediate(() => {
        throw new Error("the thread breaks");
      });
    },
  };
  const conversation: Conversation = {
    turnId: 1,
    notify(event) {
      if (event.type === "dtmf") obey[event.key]?.();
      else note(event.type);
      if (event.type === "ended") finish();
    },
    endPolitely() {
      note("farewell");
      finish();
    },
    finished: finished.promise,
  };
  return conversation;
}

let ask: (to: string) => Promise<unknown> = async () => null;
const engine: VoiceEngine = {
  name: "scripted",
  prepare: (setup) => converse(setup, ask),
  async close() {
    for (const finish of open) finish();
  },
};
serveConversations(
  parentPort,
  {
    engine,
    readPlan(_, mayDial) {
      ask = mayDial;
      const voicemail = { action: "hang_up", message: null } as const;
      const setup = { brain: NO_BRAIN, language: "en-US", voiceId: "", voicemail, settings: {} };
      return { setup: { ...setup, greeting: "immediate" }, release: () => undefined };
    },
  },
  async () => undefined,
);
