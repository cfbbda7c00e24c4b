import { ListenedAudio, type SpokenWord, type Understand } from "../../speech/testing/listened-audio.ts";
import type { WireSession } from "../../speech/testing/streaming-sessions.ts";

const UPDATE_EVERY_MS = 250;
const EAGER_SILENCE_MS = 300;
const END_SILENCE_MS = 700;
const STEP_MS = 20;
/** Kept before a turn begins, for the beginning of its first word. */
const LEAD_MS = 500;

export interface FluxTurns {
  /** Silence after which a turn has probably ended, and after which it has. */
  readonly eagerSilenceMs: number;
  readonly endSilenceMs: number;
  /** The ends of turns are decided after each piece of audio of this length. The real one works in steps of 80 ms. */
  readonly stepMs: number;
}

interface FluxSettings {
  readonly requestId: string;
  readonly query: URLSearchParams;
  readonly understand: Understand;
  readonly turns: Partial<FluxTurns>;
  send(message: object): void;
  end(): void;
}

/** One stream of `/v2/listen`: the state machine of turns, Configure, ForceEndTurn and CloseStream. */
export function startFluxStream({ requestId, query, understand, turns, send, end }: FluxSettings): WireSession {
  const { eagerSilenceMs = EAGER_SILENCE_MS, endSilenceMs = END_SILENCE_MS, stepMs = STEP_MS } = turns;
  const audio = new ListenedAudio(Number(query.get("sample_rate")), understand);
  const isMultilingual = query.get("model") === "flux-general-multi";
  let thresholds: Record<string, number> = Object.fromEntries(
    ["eager_eot_threshold", "eot_threshold", "eot_timeout_ms"].flatMap((name) =>
      query.has(name) ? [[name, Number(query.get(name))]] : [],
    ),
  );
  let keyterms = query.getAll("keyterm");
  let hints = query.getAll("language_hint");
  let sequence = 0;
  let turnIndex = 0;
  let state: "initial" | "ongoing" | "awaiting_end" = "initial";
  let updateAtMs = 0;
  let transcript = "";
  let steps = 0;

  function emit(message: object): void {
    send({ ...message, request_id: requestId, sequence_id: sequence });
    sequence += 1;
  }

  function turnInfo(event: string, words: readonly SpokenWord[], trigger?: string): void {
    transcript = words.map(({ word }) => word).join(" ");
    updateAtMs = audio.endMs;
    emit({
      type: "TurnInfo",
      event,
      turn_index: turnIndex,
      audio_window_start: audio.startMs / 1000,
      audio_window_end: audio.endMs / 1000,
      transcript,
      words,
      end_of_turn_confidence: event === "EndOfTurn" ? 0.9 : event === "EagerEndOfTurn" ? 0.6 : 0.1,
      ...(trigger === undefined ? {} : { trigger }),
      ...(isMultilingual && words.length > 0 ? { languages: [hints[0] ?? "en"] } : {}),
      ...(isMultilingual && hints.length > 0 ? { languages_hinted: hints } : {}),
    });
  }

  async function update(): Promise<void> {
    const words = await audio.words();
    if (state === "initial" && words.length > 0) {
      state = "ongoing";
      turnInfo("StartOfTurn", words);
    } else turnInfo("Update", words);
  }

  async function endTurn(trigger: string): Promise<void> {
    if (state === "initial") await update();
    if (state === "awaiting_end" && (await textNow()) !== transcript) turnInfo("TurnResumed", await audio.words());
    if (state !== "initial") {
      turnInfo("EndOfTurn", await audio.words(), trigger);
      turnIndex += 1;
    }
    state = "initial";
    audio.dispose();
  }

  async function textNow(): Promise<string> {
    return (await audio.words()).map(({ word }) => word).join(" ");
  }

  function configure(message: Readonly<Record<string, unknown>>): void {
    const wanted = (message.thresholds ?? {}) as Record<string, number>;
    const { eager_eot_threshold: eager = 0.5, eot_threshold: eot = 0.7, eot_timeout_ms: timeout = 5_000 } = wanted;
    const isValid = eager >= 0.3 && eager <= 0.9 && eot >= 0.5 && eot <= 1 && timeout >= 500 && timeout <= 60_000;
    if (!isValid || (message.language_hints !== undefined && !isMultilingual))
      return emit({ type: "ConfigureFailure" });
    thresholds = { ...thresholds, ...wanted };
    if (Array.isArray(message.keyterms)) keyterms = message.keyterms;
    if (Array.isArray(message.language_hints)) hints = message.language_hints;
    emit({ type: "ConfigureSuccess", thresholds, keyterms, ...(isMultilingual ? { language_hints: hints } : {}) });
  }

  emit({ type: "Connected" });
  return {
    async hear(bytes) {
      for (const frame of audio.take(bytes)) {
        const isManual = thresholds.eot_threshold === 1;
        const isStep = Math.floor(frame.endMs / stepMs) > steps;
        if (isStep) steps = Math.floor(frame.endMs / stepMs);
        const isSilent = !frame.isSpeech && isStep;
        if (state === "awaiting_end" && frame.isSpeech) {
          state = "ongoing";
          turnInfo("TurnResumed", await audio.words());
        } else if (state !== "initial" && !isManual && isSilent && frame.silenceMs >= endSilenceMs) {
          await endTurn("model");
        } else if (
          state === "ongoing" &&
          isSilent &&
          frame.silenceMs >= eagerSilenceMs &&
          thresholds.eager_eot_threshold !== undefined
        ) {
          state = "awaiting_end";
          turnInfo("EagerEndOfTurn", await audio.words());
        } else if (frame.endMs - updateAtMs >= UPDATE_EVERY_MS) {
          // While the end is awaited, the text stands.
          if (state !== "awaiting_end") await update();
          if (state === "initial" && !audio.hasSpeech) audio.dispose(LEAD_MS);
        }
      }
    },
    async control(message) {
      if (message.type === "ForceEndTurn") await endTurn("manual");
      else if (message.type === "Configure") configure(message);
      else if (message.type === "CloseStream") {
        await endTurn("model");
        end();
      } else {
        emit({
          type: "Error",
          code: "UNPARSABLE_CLIENT_MESSAGE",
          description: `unknown message type ${String(message.type)}`,
        });
        end();
      }
    },
  };
}
