import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SpeechModel, SpeechModelEvent, SpeechModelRequest, SpeechModelSession } from "../ports/speech-model.ts";
import { outcomeOf, soon } from "./outcome-of.ts";

/** What the vendor's model does in one reply. */
type PlannedReply =
  /** `holds`: half of it, and the reply goes on until it is stopped. */
  | { readonly type: "say"; readonly text: string; readonly holds?: boolean }
  | { readonly type: "call"; readonly name: string; readonly input: object };

/** A model against a server that speaks its vendor's protocol. */
export interface SpeechModelRig {
  readonly model: SpeechModel;
  /** The same model with a key that the vendor refuses, and that key. */
  readonly refused: { readonly model: SpeechModel; readonly key: string };
  /** The next replies, in order. */
  plan(...replies: readonly PlannedReply[]): void;
  /** A text as audio, and back. */
  speak(text: string): Int16Array;
  read(samples: Int16Array): string;
  /** The connections of the vendor end without a word. */
  cut(): void;
  /** Resolves when no connection is left. */
  nothingLeft(): Promise<void>;
  close(): Promise<void>;
}

type Reported<Type extends SpeechModelEvent["type"]> = Extract<SpeechModelEvent, { type: Type }>;

const TOOL = { name: "book", description: "Books a visit.", inputSchema: { type: "object", properties: {} } };
/** Of silence, after which every vendor takes the turn to be over. */
const PAUSE_SAMPLES = 12_000;
const FRAME_SAMPLES = 320;

/** What every model that hears and speaks must do. */
export function describeSpeechModel(name: string, openRig: () => Promise<SpeechModelRig>): void {
  describe(`${name} as a model that hears and speaks`, () => {
    let rig: SpeechModelRig;
    let events: SpeechModelEvent[];
    let onEvent: () => void;

    beforeEach(async () => {
      rig = await openRig();
      events = [];
      onEvent = () => undefined;
    });

    afterEach(() => rig.close());

    const requestOf = (overrides: Partial<SpeechModelRequest> = {}): SpeechModelRequest => ({
      instructions: "Confirm the visit.",
      tools: [TOOL],
      language: "en-US",
      voiceId: "",
      isInterruptible: true,
      onEvent(event) {
        events.push(event);
        onEvent();
      },
      ...overrides,
    });
    const open = () => soon(rig.model.open(requestOf()), "opening");
    const all = <Type extends SpeechModelEvent["type"]>(type: Type) =>
      events.filter((event): event is Reported<Type> => event.type === type);
    const textOf = (itemId: string | undefined) =>
      all("text")
        .filter((event) => event.itemId === itemId)
        .map(({ text }) => text)
        .join("")
        .trim();

    function untilIt(isSo: () => boolean, what: string): Promise<void> {
      const there = Promise.withResolvers<void>();
      onEvent = () => {
        if (isSo()) there.resolve();
      };
      onEvent();
      return soon(there.promise, what);
    }

    const until = (type: SpeechModelEvent["type"], count = 1) => untilIt(() => all(type).length >= count, type);

    /** The callee says something and then pauses. */
    function say(session: SpeechModelSession, text: string): void {
      const speech = rig.speak(text);
      const samples = new Int16Array(speech.length + PAUSE_SAMPLES);
      samples.set(speech);
      for (let at = 0; at < samples.length; at += FRAME_SAMPLES) session.hear(samples.slice(at, at + FRAME_SAMPLES));
    }

    /** A complete reply, after which everything that was sent before it has arrived. */
    async function speakOnce(session: SpeechModelSession, text: string): Promise<void> {
      const done = all("reply_done").length;
      rig.plan({ type: "say", text });
      session.reply("Say it.");
      await until("reply_done", done + 1);
    }

    it("speaks when it is asked to: audio, its words, and that it is done", async () => {
      const session = await open();
      await speakOnce(session, "hello dear callee");
      const samples = all("audio").flatMap((event) => [...event.samples]);
      expect(rig.read(Int16Array.from(samples))).toBe("hello dear callee");
      expect(textOf(all("audio")[0]?.itemId)).toBe("hello dear callee");
      expect(events.at(-1)).toEqual({ type: "reply_done", failure: null });
      expect(all("reply_done")).toHaveLength(1);
      session.close();
    });

    it("replies to nothing before it was first asked to, and to every turn of the callee afterwards", async () => {
      const session = await open();
      say(session, "hello");
      await speakOnce(session, "good morning");
      expect(all("reply_done")).toHaveLength(1);
      rig.plan({ type: "say", text: "very well" });
      say(session, "yes please");
      await until("reply_done", 2);
      await untilIt(() => all("callee_said").some(({ text }) => text === "yes please"), "what the callee said");
      const said = all("callee_said").at(-1);
      expect(all("callee_started").map(({ itemId }) => itemId)).toContain(said?.itemId);
      expect(textOf(all("audio").at(-1)?.itemId)).toBe("very well");
      session.close();
    });

    it("reports nothing more of a reply that was stopped, and gives the one that was requested next", async () => {
      const session = await open();
      rig.plan({ type: "say", text: "one two three four", holds: true }, { type: "say", text: "good bye" });
      session.reply("Count.");
      await until("audio");
      const stopped = all("audio")[0]?.itemId;
      session.interrupt(stopped ?? null, { ms: 250, text: "one" });
      const before = events.length;
      session.reply("Say goodbye.");
      await until("reply_done");
      const after = events.slice(before);
      expect(after.filter((event) => "itemId" in event && event.itemId === stopped)).toEqual([]);
      expect(textOf(all("audio").at(-1)?.itemId)).toBe("good bye");
      expect(all("reply_done")).toHaveLength(1);
      session.close();
    });

    it("stops a reply that has not begun", async () => {
      const session = await open();
      rig.plan({ type: "say", text: "good bye" });
      session.reply("Say hello.");
      session.interrupt(null, { ms: 0, text: "" });
      const before = events.length;
      await speakOnce(session, "good bye");
      const items = new Set(all("audio").map(({ itemId }) => itemId));
      expect(items.size).toBe(1);
      expect(events.slice(before).filter(({ type }) => type === "reply_done")).toHaveLength(1);
      session.close();
    });

    it("gives no second reply when it is reminded of one, and a reply when it owes none", async () => {
      const session = await open();
      rig.plan({ type: "say", text: "hello there" });
      session.reply("Say hello.");
      session.remind("The callee waits.");
      await until("reply_done");
      await speakOnce(session, "and again");
      rig.plan({ type: "say", text: "good bye" });
      session.remind("The callee waits.");
      await until("reply_done", 3);
      const items = [...new Set(all("audio").map(({ itemId }) => itemId))];
      expect(items.map((itemId) => textOf(itemId))).toEqual(["hello there", "and again", "good bye"]);
      session.close();
    });

    it("survives being stopped when it has already said everything", async () => {
      const session = await open();
      await speakOnce(session, "hello");
      session.interrupt(all("audio")[0]?.itemId ?? null, { ms: 60_000, text: "hello" });
      await speakOnce(session, "still there");
      expect(textOf(all("audio").at(-1)?.itemId)).toBe("still there");
      expect(all("failed")).toEqual([]);
      session.close();
    });

    it("calls functions, and replies to their results unless they are the last", async () => {
      const session = await open();
      rig.plan({ type: "call", name: "book", input: { day: "Monday" } }, { type: "say", text: "done" });
      session.reply("Book it.");
      await until("function_called");
      const [call] = all("function_called");
      expect(call).toMatchObject({ name: "book", input: { day: "Monday" } });
      session.answer(call?.callId ?? "", { ok: true }, false);
      await until("text");
      await until("reply_done", all("reply_done").length || 1);
      expect(textOf(all("text")[0]?.itemId)).toBe("done");
      rig.plan({ type: "call", name: "book", input: {} });
      session.reply("Book another.");
      await until("function_called", 2);
      session.answer(all("function_called")[1]?.callId ?? "", { ok: true }, true);
      session.inform("Nothing follows.");
      await speakOnce(session, "good bye");
      const items = [...new Set(all("audio").map(({ itemId }) => itemId))];
      expect(items.map(textOf)).toEqual(["done", "good bye"]);
      session.close();
    });

    it("counts what it used", async () => {
      const session = await open();
      await speakOnce(session, "hello");
      await until("used");
      expect(all("used")[0]?.inputTokens).toBeGreaterThan(0);
      expect(all("used")[0]?.outputTokens).toBeGreaterThan(0);
      session.close();
    });

    it("reports a lost connection once", async () => {
      await open();
      rig.cut();
      await until("failed");
      expect(all("failed")).toMatchObject([{ error: { retryable: true } }]);
      await soon(rig.nothingLeft(), "the end of the connection");
      expect(all("failed")).toHaveLength(1);
    });

    it("reports nothing after it was closed, and leaves nothing behind", async () => {
      const session = await open();
      rig.plan({ type: "say", text: "one two three four", holds: true });
      session.reply("Count.");
      await until("audio");
      session.close();
      const before = events.length;
      await soon(rig.nothingLeft(), "the end of the connection");
      session.hear(new Int16Array(FRAME_SAMPLES));
      session.reply("Again.");
      session.interrupt("unknown", { ms: 5, text: "" });
      expect(events).toHaveLength(before);
      const other = await open();
      await rig.model.close();
      await soon(rig.nothingLeft(), "the end of the connection");
      other.close();
      expect(await outcomeOf(open())).toMatchObject({ retryable: false });
    });

    it("refuses a wrong key in plain words, and without the key", async () => {
      const failure = await outcomeOf(rig.refused.model.open(requestOf()));
      expect(failure).toMatchObject({ retryable: false, message: expect.stringMatching(/refused the API key/) });
      expect(JSON.stringify(failure)).not.toContain(rig.refused.key);
      await rig.refused.model.close();
    });
  });
}
