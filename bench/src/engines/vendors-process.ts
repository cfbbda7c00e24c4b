import { setTimeout as settle } from "node:timers/promises";
import { startDeepgramServer } from "@parley/providers/deepgram/testing/deepgram-server";
import { startElevenLabsServer } from "@parley/providers/elevenlabs/testing/elevenlabs-server";
import { startModelServer } from "@parley/providers/testing/model-server";
import { VENDOR_KEY, VOICE_ID } from "./engine-scene.ts";
import type { VendorsCommand, VendorsNotice, VendorTurn } from "./vendor-messages.ts";

/**
 * The vendors, in a process of their own, with the delays that real ones have. Each turn is about an item of its own,
 * which the recognized text, the model's reply and the spoken text name: so the requests of a turn are found again.
 */

const TURNS = { eagerSilenceMs: 10_000, endSilenceMs: 250, stepMs: 80 };
const MODEL_TIMING = { firstTextMs: 350, betweenTextsMs: 1_000 / 60 };
const FIRST_AUDIO_MS = 150;
/** 200 ms of audio each, so ten times faster than it is played. */
const BETWEEN_PIECES_MS = 20;
const SAMPLES_PER_WORD = 2_400;
const LOUD_LEVEL = 500;
const DIGITS = ["red", "blue", "green", "white", "black", "brown", "pink", "gray", "gold", "silver"];
const ITEM = new RegExp(`item((?: (?:${DIGITS.join("|")}))+)`, "gi");

interface OpenTurn {
  stream: number;
  turn: number;
  recognitionMs?: number;
  turnEndSentMs?: number;
  modelAskedMs?: number;
  words: { readonly text: string; readonly atMs: number }[];
  clauseSentMs?: number | undefined;
  synthesisAskedMs?: number;
  audioSentMs?: number;
}

const nowMs = () => performance.timeOrigin + performance.now();
const say = (notice: VendorsNotice) => void process.send?.(notice);
const streams = new Map<string, { readonly stream: number; turn: number }>();
const turns = new Map<number, OpenTurn>();
let reply = new Int16Array(0);

const itemOf = (stream: number, turn: number) => stream * 100 + turn;
const wordsOfItem = (item: number) => `item ${[...String(item)].map((digit) => DIGITS[Number(digit)]).join(" ")}`;

/** The item that a text names last. */
function itemIn(text: string): number | null {
  const digits = [...text.matchAll(ITEM)].at(-1)?.[1]?.trim().toLowerCase().split(" ");
  return digits ? Number(digits.map((word) => DIGITS.indexOf(word)).join("")) : null;
}

function turnOf(item: number): OpenTurn {
  const found = turns.get(item);
  if (found) return found;
  const opened: OpenTurn = { stream: Math.floor(item / 100), turn: item % 100, words: [] };
  turns.set(item, opened);
  return opened;
}

function streamOf(requestId: string): { readonly stream: number; turn: number } {
  const found = streams.get(requestId);
  if (found) return found;
  const opened = { stream: streams.size + 1, turn: 0 };
  streams.set(requestId, opened);
  return opened;
}

/** As many words as there is speech, which name the item first. */
function recognize(samples: Int16Array, requestId: string): string {
  const { stream, turn } = streamOf(requestId);
  const isLoud = (sample: number) => Math.abs(sample) >= LOUD_LEVEL;
  const spoken = samples.findLastIndex(isLoud) - samples.findIndex(isLoud);
  const words = `${wordsOfItem(itemOf(stream, turn))} is what I would like to know more about please`.split(" ");
  return words.slice(0, Math.ceil(spoken / SAMPLES_PER_WORD)).join(" ");
}

function noteRecognition(message: object, requestId: string): void {
  if (!("event" in message) || message.event !== "EndOfTurn") return;
  const { audio_window_end: endS, words } = message as unknown as {
    readonly audio_window_end: number;
    readonly words: readonly { readonly end: number }[];
  };
  const place = streamOf(requestId);
  const turn = turnOf(itemOf(place.stream, place.turn));
  turn.recognitionMs = 1_000 * (endS - (words.at(-1)?.end ?? endS));
  turn.turnEndSentMs = nowMs();
  place.turn += 1;
}

async function start(): Promise<void> {
  const deepgram = await startDeepgramServer({
    key: VENDOR_KEY,
    recognize,
    turns: TURNS,
    onSend: noteRecognition,
  });
  const openai = await startModelServer({
    otherwise({ body }) {
      const item = itemIn(JSON.stringify(body)) ?? 0;
      const turn = turnOf(item);
      turn.modelAskedMs ??= nowMs();
      const words = `You asked about ${wordsOfItem(item)}. I will gladly tell you more about it, and it does not take long.`;
      const texts = words.split(/(?<= )/);
      return {
        type: "stream",
        timing: MODEL_TIMING,
        moves: [...texts.map((text) => ({ type: "text", text }) as const), { type: "end" }],
      };
    },
    onSend(event, { body }) {
      const text = /"(?:delta|content)":"([^"]+)"/.exec(event)?.[1];
      if (text !== undefined) turnOf(itemIn(JSON.stringify(body)) ?? 0).words.push({ text, atMs: nowMs() });
    },
  });
  const elevenlabs = await startElevenLabsServer({
    apiKey: VENDOR_KEY,
    voiceIds: [VOICE_ID],
    firstAudioMs: FIRST_AUDIO_MS,
    beforePiece: () => settle(BETWEEN_PIECES_MS),
    speak: (text) => reply.subarray(0, Math.min(reply.length, text.split(" ").length * SAMPLES_PER_WORD)),
    onSpeech: noteSpeech,
  });
  say({ type: "listening", urls: { deepgram: deepgram.url, openai: openai.url, elevenlabs: elevenlabs.url } });
}

/** Only of what is spoken first in a turn. */
function noteSpeech(text: string, event: "requested" | "started"): void {
  const item = itemIn(text);
  if (item === null) return;
  const turn = turnOf(item);
  if (event === "started") turn.audioSentMs ??= nowMs();
  else if (turn.synthesisAskedMs === undefined) {
    turn.synthesisAskedMs = nowMs();
    const count = text.split(" ").length;
    turn.clauseSentMs = turn.words[Math.min(count, turn.words.length) - 1]?.atMs;
  }
}

function collect(): VendorTurn[] {
  return [...turns.values()].flatMap((noted) => {
    const { stream, turn, recognitionMs, turnEndSentMs, modelAskedMs, clauseSentMs, synthesisAskedMs, audioSentMs } =
      noted;
    if (
      recognitionMs === undefined ||
      turnEndSentMs === undefined ||
      modelAskedMs === undefined ||
      clauseSentMs === undefined ||
      synthesisAskedMs === undefined ||
      audioSentMs === undefined
    ) {
      return [];
    }
    return {
      stream,
      turn,
      speechEndedMs: turnEndSentMs - recognitionMs,
      recognitionMs,
      modelMs: clauseSentMs - modelAskedMs,
      synthesisMs: audioSentMs - synthesisAskedMs,
      turnEndSentMs,
      modelAskedMs,
      clauseSentMs,
      synthesisAskedMs,
      audioSentMs,
    };
  });
}

// The parent process has exited.
process.on("disconnect", () => process.exit(0));
process.on("message", (command: VendorsCommand) => {
  if (command.type === "start") {
    reply = command.reply.slice();
    void start();
  } else if (command.type === "reset") turns.clear();
  else if (command.type === "collect") say({ type: "turns", turns: collect() });
  else process.exit(0);
});
