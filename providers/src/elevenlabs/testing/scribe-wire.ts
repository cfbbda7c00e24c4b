import { ListenedAudio, type SpokenWord, type Understand } from "../../speech/testing/listened-audio.ts";
import type { SessionWire, WireSession } from "../../speech/testing/streaming-sessions.ts";

const PARTIAL_EVERY_MS = 200;
/** Less audio than this is not committed. */
const COMMIT_MIN_MS = 300;
/** Kept of audio without speech. */
const LEAD_MS = 300;

/** What a client sends that is not audio, for the record: commits, and messages that Scribe does not know. */
export function scribeMessageName(message: Readonly<Record<string, unknown>>): string | null {
  if (message.message_type !== "input_audio_chunk") return String(message.message_type);
  return message.commit === true ? "commit" : null;
}

/** One session of `/v1/speech-to-text/realtime`: partial and committed transcripts, by silence or on request. */
export function startScribeSession(
  { send, end }: SessionWire,
  query: URLSearchParams,
  understand: Understand,
): WireSession {
  const format = query.get("audio_format") ?? "pcm_16000";
  const rateHz = Number(format.split("_")[1]);
  const audio = new ListenedAudio(rateHz, understand);
  const language = query.get("language_code");
  const isVad = query.get("commit_strategy") === "vad";
  const silenceMs = Number(query.get("vad_silence_threshold_secs") ?? 1.5) * 1000;
  const hasTimes = query.get("include_timestamps") === "true";
  let partialAtMs = 0;
  let committedAtMs = 0;

  if (!/^scribe_/.test(query.get("model_id") ?? "") || !/^pcm_\d+$/.test(format)) {
    send({ message_type: "invalid_request", error: "Unknown model or audio format." });
    end(1008, "invalid_request");
    return { hear: async () => undefined, control: async () => undefined };
  }

  async function commit(): Promise<void> {
    const words = await audio.words();
    audio.dispose();
    committedAtMs = audio.endMs;
    const text = words.map(({ word }) => word).join(" ");
    send({ message_type: "committed_transcript", text });
    if (!hasTimes) return;
    const languages =
      query.get("include_language_detection") === "true" && text !== "" ? { language_code: language ?? "eng" } : {};
    send({ message_type: "committed_transcript_with_timestamps", text, ...languages, words: words.flatMap(timedWord) });
  }

  async function hear(bytes: Uint8Array): Promise<void> {
    for (const frame of audio.take(bytes)) {
      if (!audio.hasSpeech) {
        if (audio.endMs - audio.startMs > 2 * LEAD_MS) audio.dispose(LEAD_MS);
      } else if (isVad && frame.silenceMs >= silenceMs) await commit();
      else if (frame.endMs - partialAtMs >= PARTIAL_EVERY_MS) {
        partialAtMs = frame.endMs;
        const text = (await audio.words()).map(({ word }) => word).join(" ");
        if (text !== "") send({ message_type: "partial_transcript", text });
      }
    }
  }

  send({
    message_type: "session_started",
    session_id: "0b0a72b57fd743ebbed6555d44836cf2",
    config: {
      sample_rate: rateHz,
      audio_format: format,
      language_code: language,
      commit_strategy: isVad ? "vad" : "manual",
      model_id: query.get("model_id"),
      include_timestamps: hasTimes,
      keyterms: query.getAll("keyterms"),
    },
  });
  return {
    async hear() {
      send({ message_type: "input_error", error: "Binary messages are not supported." });
      end(1008, "input_error");
    },
    async control(message) {
      if (message.message_type !== "input_audio_chunk" || typeof message.audio_base_64 !== "string") {
        send({ message_type: "input_error", error: `Unknown message type ${String(message.message_type)}` });
        return end(1008, "input_error");
      }
      await hear(Buffer.from(message.audio_base_64, "base64"));
      if (message.commit !== true) return;
      if (audio.endMs - committedAtMs >= COMMIT_MIN_MS) await commit();
      else send({ message_type: "commit_throttled", error: "Commit request ignored: too little uncommitted audio." });
    },
  };
}

function timedWord({ word, start, end, confidence }: SpokenWord, index: number): object[] {
  const timed = { text: word, start, end, type: "word", logprob: Math.log(confidence) };
  return index === 0 ? [timed] : [{ text: " ", start, end: start, type: "spacing" }, timed];
}
