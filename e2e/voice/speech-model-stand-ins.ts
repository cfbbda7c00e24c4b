import { startGeminiLiveServer } from "@parley/providers/google/testing/gemini-live-server";
import { startOpenAiServer } from "@parley/providers/openai/testing/openai-server";
import { serveRealtime } from "@parley/providers/openai/testing/realtime-conversation";
import { systemClock } from "@parley/time/clock";
import { recognizeWords, type StandInSpeech } from "./vendor-stand-ins.ts";

/** What a reply of the model is about. */
export interface ModelRequest {
  /** Those of the service for this reply; null when it follows from the conversation. */
  readonly instructions: string | null;
  /** What the callee said last, if that is what it replies to. */
  readonly said: string | null;
}

type ModelMove =
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "call"; readonly name: string; readonly input: object };

/** A model that hears and speaks, behind the wire protocol of its vendor. */
export interface SpeechModelStandIn {
  readonly url: string;
  /** The only one that it accepts. */
  readonly key: string;
  /** The settings that lead the service to it. */
  environment(url: string): Readonly<Record<string, string>>;
  /** How many replies the service has asked for. */
  readonly askedReplies: number;
  /** What the service said was heard of replies that it stopped: a time or the words, as the vendor takes it. */
  readonly corrections: readonly { readonly heardMs: number | null; readonly heardText: string | null }[];
  close(): Promise<void>;
}

type StartSpeechModel = (
  speech: StandInSpeech,
  decide: (request: ModelRequest) => ModelMove,
) => Promise<SpeechModelStandIn>;

const SPEECH_MODEL_KEY = "speech-key-3908";

/** By the name of the engine that consists of the model. */
export const START_SPEECH_MODEL: Readonly<Record<string, StartSpeechModel>> = {
  async "openai-realtime"(speech, decide) {
    const recognize = recognizeWords(speech);
    const received: { type: string; [field: string]: unknown }[] = [];
    const { url, close } = await startOpenAiServer({
      apiKey: SPEECH_MODEL_KEY,
      recognize,
      speak: speech.speak,
      onRealtime: (socket) =>
        serveRealtime(socket, { recognize, speak: speech.speak, decide, moves: [], received, hasLateMessages: true }),
    });
    return {
      url,
      key: SPEECH_MODEL_KEY,
      environment: (reached) => ({ PARLEY_OPENAI_API_KEY: SPEECH_MODEL_KEY, PARLEY_OPENAI_URL: reached }),
      get askedReplies() {
        return received.filter(({ type }) => type === "response.create").length;
      },
      get corrections() {
        const cuts = received.filter(({ type }) => type === "conversation.item.truncate");
        return cuts.map((cut) => ({ heardMs: Number(cut["audio_end_ms"]), heardText: null }));
      },
      close,
    };
  },
  async "gemini-live"(speech, decide) {
    const { url, received, close } = await startGeminiLiveServer({
      apiKey: SPEECH_MODEL_KEY,
      recognize: recognizeWords(speech),
      speak: speech.speak,
      decide: ({ text, said }) => decide({ instructions: text === null ? null : withoutFrame(text), said }),
      // Its audio is ahead of the callee's ear, and it knows.
      assumesPlayback: systemClock,
      hasLateMessages: true,
    });
    const texts = () =>
      received.flatMap(({ clientContent }) => {
        const { turns = [], turnComplete = false } = (clientContent ?? {}) as ClientContent;
        return turns.flatMap(({ parts }) => parts).map(({ text }) => ({ text, turnComplete }));
      });
    return {
      url,
      key: SPEECH_MODEL_KEY,
      environment: (reached) => ({ PARLEY_GOOGLE_API_KEY: SPEECH_MODEL_KEY, PARLEY_GOOGLE_URL: `${reached}/v1beta` }),
      get askedReplies() {
        return texts().filter(({ turnComplete }) => turnComplete).length;
      },
      get corrections() {
        const heard = texts().flatMap(({ text }) => /callee has heard only this: "([^"]*)"/.exec(text)?.[1] ?? []);
        return heard.map((heardText) => ({ heardMs: null, heardText }));
      },
      close,
    };
  },
};

interface ClientContent {
  readonly turns?: readonly { readonly parts: readonly { readonly text: string }[] }[];
  readonly turnComplete?: boolean;
}

/** Texts of the service are marked for this model, because the callee's words could be texts as well. */
function withoutFrame(text: string): string {
  return text.replace(/^\[[^:]*: /, "").replace(/\]$/, "");
}
