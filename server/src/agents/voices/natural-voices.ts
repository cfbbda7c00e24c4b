import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MessagePort } from "node:worker_threads";
import { startVoiceThread, type VoiceThread } from "@parley/providers/local/kokoro/speaking/voice-thread";
import type { ConversationSettings } from "../../platform/config/conversation-settings.ts";
import type { Log } from "../../platform/telemetry/log.ts";

/** What the sample agents say, in the default voice. */
export const SHIPPED_CLIPS = fileURLToPath(new URL("./shipped-clips.pack", import.meta.url));

/** The natural voices of this process: loaded once, on first use, and shared by everything that speaks. */
export interface NaturalVoices {
  /** A connection for one thread. Resolves when the voices are loaded, or have failed to: requests then fail or try again. */
  connect(): Promise<MessagePort>;
  /** How many calls they carry at once: 0 where they are slower than they are played, null before that is known. */
  callsMax(): Promise<number | null>;
  /**
   * Why a call cannot have a natural voice; null if it can. A call that was admitted by measured headroom has waited for its voice: it
   * is refused only where the machine cannot speak naturally at all.
   */
  refusalFor(calls: NaturalCalls): Promise<string | null>;
  /** How many greetings can be spoken at the same time; infinitely many before that is known. */
  openingsAtOnce(): Promise<number>;
  /** How long after it was needed the latest audio for a callee arrived, since the last time. */
  lateMs(): Promise<number>;
  close(): Promise<void>;
}

export interface NaturalCalls {
  /** The calls that are held with a natural voice now. */
  readonly naturalCalls: number;
  readonly isAdmitted: boolean;
}

export interface NaturalVoicesDeps {
  readonly dataDir: string;
  readonly settings: Pick<ConversationSettings, "voiceProcesses">;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  readonly start?: typeof startVoiceThread;
}

/** The share of a call in which the agent speaks, as measured over the sample agents. */
const SPEAKING_SHARE = 0.5;
/** The rest is for moments in which many agents speak simultaneously. */
const LOAD_MAX = 0.8;
/** A voice rendered slower than this multiple of real time would stutter beside recognition. */
const SPEED_MIN = 1.5;

export function openNaturalVoices({
  dataDir,
  settings: { voiceProcesses: processes },
  log,
  start = startVoiceThread,
}: NaturalVoicesDeps): NaturalVoices {
  const callsAt = (speed: number) => Math.max(1, Math.floor((LOAD_MAX * processes * speed) / SPEAKING_SHARE));
  let thread: VoiceThread | null = null;
  let isClosing = false;

  function open(): VoiceThread {
    const options = { shippedClips: SHIPPED_CLIPS, clipFolder: join(dataDir, "voice-clips"), processes };
    const opened = start(options, (reason) => log.warn({ reason }, "natural voice failed"));
    opened.ready.then(
      ({ secondsOfSpeechPerSecond: speed }) => {
        if (speed < SPEED_MIN) log.warn({ speed }, "natural voices are slow on this machine now; calls use light ones");
        else log.info({ speed, processes, callsMax: callsAt(speed) }, "natural voices are ready");
      },
      (error: unknown) => {
        if (!isClosing) log.error({ error }, "natural voices could not be loaded; calls use light ones until they are");
      },
    );
    return opened;
  }

  /** 0 before anything was said. */
  const currentSpeed = async () => (await thread?.speed().catch(() => 0)) ?? 0;

  return {
    async connect() {
      thread ??= open();
      await thread.ready.catch(() => undefined);
      return thread.connect();
    },
    async callsMax() {
      const speed = await currentSpeed();
      if (speed === 0) return null;
      return speed < SPEED_MIN ? 0 : callsAt(speed);
    },
    async refusalFor({ naturalCalls, isAdmitted }) {
      const speed = await currentSpeed();
      // Nothing was spoken yet: only speaking shows whether the voices work.
      if (speed === 0) return null;
      // The calls that speak now may be what keeps the machine busy.
      if (isAdmitted && naturalCalls > 0) return null;
      if (speed < SPEED_MIN)
        return `speech is made ${speed.toFixed(1)} times as fast as it is played, which is too slow`;
      const callsMax = callsAt(speed);
      return isAdmitted || naturalCalls < callsMax
        ? null
        : `this machine carries ${callsMax} calls with a natural voice now`;
    },
    async openingsAtOnce() {
      const speed = await currentSpeed();
      return speed === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor((processes * speed) / SPEED_MIN));
    },
    lateMs: async () => (await thread?.lateMs().catch(() => 0)) ?? 0,
    async close() {
      isClosing = true;
      await thread?.stop();
    },
  };
}
