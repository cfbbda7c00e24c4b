import { createHash } from "node:crypto";

/** What decides how a clip sounds. */
export interface ClipName {
  /** The engine and the version of its weights and rules. */
  readonly engine: string;
  readonly voiceId: string;
  /** 1 is the pace of the voice itself. */
  readonly speed: number;
  readonly sampleRateHz: number;
  readonly text: string;
}

/** The name under which a clip is kept. Spaces at the ends and double ones sound like nothing. */
export function clipKey({ engine, voiceId, speed, sampleRateHz, text }: ClipName): string {
  const said = text.replace(/\s+/g, " ").trim();
  return createHash("sha256")
    .update(JSON.stringify([engine, voiceId, speed, sampleRateHz, said]))
    .digest("hex");
}
