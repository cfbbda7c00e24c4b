import type { MessagePort } from "node:worker_threads";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { resampleClip } from "@parley/audio/resample";
import { connectPort, servePort } from "@parley/threads/port-requests";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { plainText } from "@parley/voice/ports/speech-notation";
import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { isKokoroVoice, KOKORO_VOICES, type KokoroVoiceId } from "../kokoro-voices.ts";
import { canRead } from "../render-clause.ts";
import type { SpeechLibrary, SpeechPiece } from "./speech-library.ts";
import type { Urgency } from "./speech-scheduler.ts";
import type { Clause } from "./voice-process.ts";

/** What a conversation sends over its port. */
type VoiceRequest =
  | {
      readonly type: "speak";
      readonly speechId: number;
      readonly clause: Clause;
      readonly isAhead: boolean;
      readonly dueInMs: number;
    }
  | { readonly type: "render"; readonly clause: Clause };

/** A clause that was spoken ahead is needed now. */
interface NeededNow {
  readonly speechId: number;
  readonly dueInMs: number;
}

/** Serves the port of one thread. */
export function serveVoice(port: MessagePort, opening: Promise<SpeechLibrary>): void {
  const hasteners = new Map<number, (urgency: Urgency, dueInMs: number) => void>();
  servePort<VoiceRequest, boolean, NeededNow, SpeechPiece>(port, {
    async answer(request, signal, emit) {
      const library = await opening;
      if (request.type === "render") return library.renderAhead(request.clause, signal);
      const { speechId, clause, isAhead, dueInMs } = request;
      try {
        await library.speak(clause, {
          urgency: isAhead ? "ahead" : "live",
          dueInMs,
          signal,
          onPiece: emit,
          onBegun: (hasten) => hasteners.set(speechId, hasten),
        });
      } finally {
        hasteners.delete(speechId);
      }
      return true;
    },
    onNotice: ({ speechId, dueInMs }) => hasteners.get(speechId)?.("live", dueInMs),
    isRetryable: (error) => error instanceof ProviderError && error.retryable,
  });
}

/** The natural voices as one thread uses them. */
export interface NaturalVoice extends SpeechSynthesizer {
  /**
   * Renders a text for later calls unless it exists. False when it could not be stored. Rejects with a ProviderError.
   */
  renderAhead(text: string, voiceId: KokoroVoiceId, signal: AbortSignal): Promise<boolean>;
}

const NAME = "kokoro";
/** Longer than any clause, and no longer than the network can say at once. */
const TEXT_MAX = 400;

/** The natural voices over a port from `VoiceThread.connect`. */
export function connectVoice(port: MessagePort): NaturalVoice {
  const client = connectPort<VoiceRequest, boolean, NeededNow, SpeechPiece>(port, refuse);
  const closed = new AbortController();
  let nextId = 1;

  async function* pieces(request: SpeechRequest): AsyncGenerator<Int16Array> {
    const { text, isAhead = false, dueInMs = 0, whenNeeded, onWordTimes } = request;
    // A listener may leave in the middle.
    const left = new AbortController();
    const signal = AbortSignal.any([left.signal, closed.signal, ...(request.signal ? [request.signal] : [])]);
    const speechId = nextId++;
    const clause = { text, voiceId: voiceOf(request.voiceId) };
    const made: Int16Array[] = [];
    let more = Promise.withResolvers<void>();
    let isOver = false;
    const onPiece = ({ samples, wordTimes }: SpeechPiece) => {
      if (wordTimes !== null) onWordTimes?.(wordTimes);
      made.push(samples);
      more.resolve();
    };
    const done = client.request({ type: "speak", speechId, clause, isAhead, dueInMs }, signal, onPiece);
    const onOver = () => {
      isOver = true;
      more.resolve();
    };
    // A failure is thrown below, after what was rendered before it.
    done.then(onOver, onOver);
    void whenNeeded?.then((wantedInMs) => {
      if (!isOver) client.notify({ speechId, dueInMs: wantedInMs });
    });
    try {
      for (;;) {
        for (let piece = made.shift(); piece !== undefined; piece = made.shift()) {
          if (piece.length > 0) yield piece;
          signal.throwIfAborted();
        }
        if (isOver) break;
        await more.promise;
        more = Promise.withResolvers();
      }
      await done;
    } finally {
      left.abort(refuse("the listener has left", false));
    }
  }

  return {
    name: NAME,
    voices: KOKORO_VOICES,
    async *speak(request) {
      request.signal?.throwIfAborted();
      checkText(request.text, voiceOf(request.voiceId));
      if (closed.signal.aborted) throw refuse("it was closed", false);
      if (!/[\p{L}\p{N}]/u.test(request.text)) return;
      if (request.sampleRateHz === TELEPHONE_RATE_HZ) yield* pieces(request);
      else {
        const whole: number[] = [];
        for await (const piece of pieces(request)) for (const sample of piece) whole.push(sample);
        if (whole.length > 0) yield resampleClip(Int16Array.from(whole), TELEPHONE_RATE_HZ, request.sampleRateHz);
      }
      request.signal?.throwIfAborted();
    },
    renderAhead: (text, voiceId, signal) => client.request({ type: "render", clause: { text, voiceId } }, signal),
    async close() {
      closed.abort(refuse("it was closed", false));
      client.close();
    },
  };
}

function voiceOf(voiceId: string): KokoroVoiceId {
  if (!isKokoroVoice(voiceId)) throw refuse(`there is no voice ${JSON.stringify(voiceId)}`, false);
  return voiceId;
}

/** Throws a ProviderError for a text that the voices cannot say. */
export function checkText(clause: string, voiceId: KokoroVoiceId): void {
  const text = plainText(clause);
  if (text.length > TEXT_MAX) throw refuse(`a clause of ${text.length} characters is longer than ${TEXT_MAX}`, false);
  if (!canRead(text, voiceId)) throw refuse("the text has no letter that the voice could read", false);
}

function refuse(message: string, retryable: boolean): ProviderError {
  return new ProviderError(NAME, message.startsWith(NAME) ? message : `${NAME}: ${message}`, { retryable });
}
