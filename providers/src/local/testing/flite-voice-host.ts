import { HostEnded, type WorkHost } from "@parley/threads/work-host";
import { loadFliteModule, renderClause } from "../flite/flite-module.ts";
import type { VoiceStep, VoiceWork } from "../kokoro/speaking/voice-process.ts";

export interface VoiceHost extends WorkHost<VoiceWork, VoiceStep> {
  /** The texts that were started. */
  readonly begun: readonly string[];
  /** Dies during the next piece of work. */
  dieOnce(): void;
}

/** Compiled once for all tests of a file. */
let loading: ReturnType<typeof loadFliteModule> | null = null;

const PIECES = 3;
const NOTHING: VoiceStep = { samples: new Int16Array(0), isOver: true, wordTimes: null };

/**
 * Speaks as the natural voice does, in three pieces, but faster and with the voice of Flite: for tests of everything
 * around the network.
 */
export async function openFliteVoiceHost(): Promise<VoiceHost> {
  loading ??= loadFliteModule();
  const module = await loading;
  const begun: string[] = [];
  const speeches = new Map<number, Int16Array[]>();
  let isDoomed = false;
  let hasEnded = false;
  return {
    begun,
    get hasEnded() {
      return hasEnded;
    },
    dieOnce() {
      isDoomed = true;
    },
    async run(work) {
      if (isDoomed) hasEnded = true;
      if (hasEnded) throw new HostEnded("it was killed");
      if (work.type === "begin") {
        const { text, voiceId } = work.clause;
        begun.push(text);
        const whole = renderClause(module, {
          text,
          voiceId: voiceId.charAt(1) === "f" ? "kal16" : "kal",
          sampleRateHz: 8_000,
        });
        const size = Math.ceil(whole.length / PIECES);
        speeches.set(
          work.speechId,
          Array.from({ length: PIECES }, (_, piece) => whole.slice(piece * size, (piece + 1) * size)),
        );
        return { ...NOTHING, isOver: whole.length === 0 };
      }
      const [samples = NOTHING.samples, ...rest] = speeches.get(work.speechId) ?? [];
      if (work.type === "drop" || rest.length === 0) speeches.delete(work.speechId);
      else speeches.set(work.speechId, rest);
      return { ...NOTHING, samples, isOver: rest.length === 0 };
    },
    async end() {
      hasEnded = true;
    },
  };
}
