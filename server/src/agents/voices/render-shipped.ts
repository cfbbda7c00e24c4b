import { existsSync } from "node:fs";
import { ClipPack, writeClipPack } from "@parley/providers/local/clips/clip-pack";
import { KOKORO_SPEED, kokoroKey } from "@parley/providers/local/kokoro/kokoro-clips";
import { KokoroRenderer } from "@parley/providers/local/kokoro/kokoro-renderer";
import { DEFAULT_VOICE } from "./known-voices.ts";
import { SHIPPED_CLIPS } from "./open-natural-voice.ts";
import { type ShippedAgent, shippedTexts } from "./shipped-texts.ts";

/** After so many clips what was rendered is written, so that little is lost when somebody stops it. */
const WRITE_EVERY = 20;

/** Renders what is missing of the shipped clips, and drops what nobody says any more. Some three seconds for a clip. */
export async function renderShipped(
  agents: readonly ShippedAgent[],
  onRendered: (text: string, left: number) => void,
): Promise<void> {
  const known = existsSync(SHIPPED_CLIPS) ? await ClipPack.open(SHIPPED_CLIPS) : null;
  const renderer = new KokoroRenderer();
  const clips = new Map<string, Int16Array>();
  const texts = shippedTexts(agents);
  try {
    for (const [index, text] of texts.entries()) {
      const key = kokoroKey(text, DEFAULT_VOICE);
      const kept = (await known?.read(key)) ?? null;
      clips.set(key, kept ?? (await renderer.render({ text, voiceId: DEFAULT_VOICE, speed: KOKORO_SPEED })).samples);
      if (kept !== null) continue;
      onRendered(text, texts.length - index - 1);
      if (index % WRITE_EVERY === 0 && known === null) await writeClipPack(SHIPPED_CLIPS, clips);
    }
    const isUnchanged = known !== null && [...clips.keys()].join() === known.keys.join();
    if (!isUnchanged) await writeClipPack(SHIPPED_CLIPS, clips);
  } finally {
    await renderer.close();
  }
}
