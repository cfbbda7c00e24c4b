import { existsSync } from "node:fs";
import type { Flow } from "@parley/contract/flow";
import { ClipPack, writeClipPack } from "@parley/providers/local/clips/clip-pack";
import { joinableTexts } from "@parley/providers/local/clips/cover-text";
import { KOKORO_SPEED, kokoroKey } from "@parley/providers/local/kokoro/kokoro-clips";
import { KokoroRenderer } from "@parley/providers/local/kokoro/kokoro-renderer";
import { textsOfCall } from "./call-texts.ts";
import { DEFAULT_VOICE } from "./known-voices.ts";
import { SHIPPED_CLIPS } from "./open-natural-voice.ts";

/** Clips are written after this many, so that little is lost on an interruption. */
const WRITE_EVERY = 20;

/** Renders missing shipped clips, and deletes unused ones. About three seconds per clip. */
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

/** An agent whose words are shipped rendered. */
export interface ShippedAgent {
  readonly flow: Flow;
  readonly language: string;
}

/**
 * What is rendered before it is shipped, so that the first calls of a new installation have their natural voice at once:
 * everything that these agents say in a call without variables, recorded or not, and the words of dates, times and numbers.
 */
export function shippedTexts(agents: readonly ShippedAgent[]): readonly string[] {
  const said = agents.flatMap(({ flow, language }) =>
    [true, false].flatMap((isRecorded) => {
      const call = { ...SOME_CALL, isRecorded };
      const plan = { callId: SOME_CALL.id, flow, language, variables: {}, voicemail: null, call };
      const { texts, unknowable } = textsOfCall(plan);
      return unknowable === null ? texts : [];
    }),
  );
  return [...new Set([...said, ...joinableTexts()])];
}

const SOME_CALL = {
  id: "call_1",
  phoneNumber: "+15550100001",
  from: null,
  mode: "test",
  startedAtMs: 0,
  timeZone: "UTC",
} as const;
