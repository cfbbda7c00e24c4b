import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readWav } from "@parley/audio/wav-reader";

/** A recording of a human voice, 8 kHz, and what it says. */
export interface HumanClip {
  /** Its file in the package, without the ending. */
  readonly name: string;
  readonly text: string;
  readonly samples: Int16Array;
}

const PACKAGES = ["asterisk-core-sounds-en-wav", "asterisk-core-sounds-en"];
const SOUNDS = "/usr/share/asterisk/sounds/en_US_f_Allison";
const TEXTS = "/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz";
const LINE = /^([\w/-]+): +(.+)$/;
/** Tones, noises and silence are described in brackets. */
const NO_SPEECH = /^[[(<]/;
/** "dot [.]", "beep (note: ...)": what is added for the reader is not said. */
const REMARK = /\s*[[(<][^\])>]*[\])>]/g;

/**
 * The prompts of Asterisk as Debian ships them (CC-BY-SA 3.0, spoken by Allison Smith). They are downloaded if missing,
 * and are not part of this project.
 */
export function readHumanClips(): readonly HumanClip[] {
  if (!existsSync(TEXTS) || !existsSync(SOUNDS)) installClips();
  return gunzipSync(readFileSync(TEXTS))
    .toString()
    .split("\n")
    .flatMap((line) => readClip(line) ?? []);
}

function readClip(line: string): HumanClip | null {
  const [, name = "", written = ""] = LINE.exec(line.trim()) ?? [];
  const file = join(SOUNDS, `${name}.wav`);
  if (name === "" || NO_SPEECH.test(written) || !existsSync(file)) return null;
  const [samples] = readWav(readFileSync(file)).channels;
  return samples === undefined ? null : { name, text: written.replace(REMARK, "").trim(), samples };
}

function installClips(): void {
  const command = ["apt-get", "install", "-y", "--no-install-recommends", ...PACKAGES];
  const line = command.join(" ");
  if (process.getuid?.() !== 0) throw new Error(`the recordings are missing; run as root: ${line}`);
  console.log(`The recordings are missing: ${line}`);
  try {
    execFileSync(command[0] ?? "", command.slice(1), { stdio: ["ignore", "ignore", "inherit"] });
  } catch (cause) {
    throw new Error(`the recordings could not be installed; try: apt-get update && ${line}`, { cause });
  }
}
