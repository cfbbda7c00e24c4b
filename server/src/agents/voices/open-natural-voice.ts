import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { ClipFolder } from "@parley/providers/local/clips/clip-folder";
import { ClipPack } from "@parley/providers/local/clips/clip-pack";
import { type ClipSource, joinClipSources } from "@parley/providers/local/clips/clip-source";
import { KokoroRenderer } from "@parley/providers/local/kokoro/kokoro-renderer";
import { createKokoroSynthesizer, type KokoroSynthesizer } from "@parley/providers/local/kokoro/kokoro-synthesizer";

/** What the sample agents say and the words of dates, times and numbers, in the default voice. */
export const SHIPPED_CLIPS = fileURLToPath(new URL("./shipped-clips.pack", import.meta.url));

/** Some nine hours of speech. */
const CLIPS_BYTES_MAX = 512 * 1024 * 1024;

export interface NaturalVoiceDeps {
  readonly dataDir: string;
  /** Whether what is missing is rendered here; else clips are only played. */
  readonly mayRender: boolean;
  /** Asked before each clause. */
  readonly mayWork?: () => boolean;
  onTrouble(error: unknown): void;
}

/** The natural voices of this installation: clips that came with it, and those it rendered itself. */
export async function openNaturalVoice(deps: NaturalVoiceDeps): Promise<KokoroSynthesizer> {
  const { dataDir, mayRender, mayWork, onTrouble } = deps;
  const folder = new ClipFolder({
    folder: join(dataDir, "voice-clips"),
    sampleRateHz: TELEPHONE_RATE_HZ,
    bytesMax: CLIPS_BYTES_MAX,
    nowMs: () => Date.now(),
    onTrouble,
  });
  const renderer = mayRender ? new KokoroRenderer(mayWork === undefined ? {} : { mayWork }) : null;
  const store = joinClipSources([...(await openShipped(onTrouble)), folder]);
  return createKokoroSynthesizer({ store, renderer, keep: (key, samples) => folder.write(key, samples) });
}

/** Without them everything works, and the first calls have a light voice. */
async function openShipped(onTrouble: (error: unknown) => void): Promise<ClipSource[]> {
  try {
    return [await ClipPack.open(SHIPPED_CLIPS)];
  } catch (error) {
    onTrouble(error);
    return [];
  }
}
