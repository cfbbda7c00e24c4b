import { existsSync } from "node:fs";
import type { Flow } from "@parley/contract/flow";
import { ClipPack, writeClipPack } from "@parley/providers/local/clips/clip-pack";
import { kokoroKey } from "@parley/providers/local/kokoro/kokoro-clips";
import { SpeechScheduler } from "@parley/providers/local/kokoro/speaking/speech-scheduler";
import { openVoiceProcess } from "@parley/providers/local/kokoro/speaking/voice-process";
import { systemClock } from "@parley/time/clock";
import { joinSamples } from "@parley/voice/engine/join-samples";
import { textsOfVersion } from "./call-texts.ts";
import { DEFAULT_VOICE } from "./known-voices.ts";
import { SHIPPED_CLIPS } from "./natural-voices.ts";

/** Renders missing shipped clips, and deletes unused ones. About half a second per clip. */
export async function renderShipped(
  agents: readonly ShippedAgent[],
  onRendered: (text: string, left: number) => void,
): Promise<void> {
  const known = existsSync(SHIPPED_CLIPS) ? await ClipPack.open(SHIPPED_CLIPS) : null;
  const scheduler = new SpeechScheduler({
    openHost: openVoiceProcess,
    timers: systemClock,
    nowMs: () => performance.now(),
    onHostLost: (reason) => console.error(reason),
  });
  const clips = new Map<string, Int16Array>();
  const texts = shippedTexts(agents);
  try {
    for (const [index, text] of texts.entries()) {
      const key = kokoroKey(text, DEFAULT_VOICE);
      const kept = (await known?.read(key)) ?? null;
      clips.set(key, kept ?? (await render(scheduler, text)));
      if (kept === null) onRendered(text, texts.length - index - 1);
    }
    const isUnchanged = known !== null && [...clips.keys()].join() === known.keys.join();
    if (!isUnchanged) await writeClipPack(SHIPPED_CLIPS, clips);
  } finally {
    await scheduler.close();
  }
}

async function render(scheduler: SpeechScheduler, text: string): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  const onAudio = (samples: Int16Array) => pieces.push(samples);
  await scheduler.speak({ text, voiceId: DEFAULT_VOICE }, { urgency: "spare", dueInMs: 0, onAudio }).done;
  return joinSamples(pieces);
}

/** An agent whose words are shipped rendered. */
export interface ShippedAgent {
  readonly flow: Flow;
  readonly language: string;
}

/** What is rendered before it is shipped: everything that these agents say in a call without variables, recorded or not. */
export function shippedTexts(agents: readonly ShippedAgent[]): readonly string[] {
  return [...new Set(agents.flatMap(({ flow, language }) => textsOfVersion(flow, language, {})))];
}
