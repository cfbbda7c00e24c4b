/** Audio read from a file, one array per channel. */
export interface WavSound {
  sampleRateHz: number;
  channels: readonly Int16Array[];
}

/** Describes what is wrong with a file, as a text that can be shown to its sender. */
export class WavFormatError extends Error {
  override readonly name = "WavFormatError";
}

const PCM_FORMAT = 1;
/** The format proper is then in the first two bytes of a longer description. */
const EXTENSIBLE_FORMAT = 0xfffe;
const SUBFORMAT_OFFSET = 24;
/** Services that stream a file before they know its length write this for the size. */
const UNKNOWN_SIZE = 0xffff_ffff;

interface Chunk {
  name: string;
  start: number;
  end: number;
}

/** Reads 16-bit PCM of one or two channels. Chunks other than audio are skipped, wherever they are. */
export function readWav(bytes: Uint8Array): WavSound {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || nameAt(view, 0) !== "RIFF" || nameAt(view, 8) !== "WAVE") {
    throw new WavFormatError("The file is not a WAV file.");
  }
  let format: { channels: number; sampleRateHz: number } | null = null;
  for (const chunk of chunksOf(view)) {
    if (chunk.name === "fmt ") format = readFormat(view, chunk);
    if (chunk.name !== "data") continue;
    if (format === null) throw new WavFormatError("The WAV file has sound before it says in which format.");
    return { sampleRateHz: format.sampleRateHz, channels: readSamples(view, chunk, format.channels) };
  }
  throw new WavFormatError(format === null ? "The WAV file does not say its format." : "The WAV file has no sound.");
}

function* chunksOf(view: DataView): Generator<Chunk> {
  let at = 12;
  while (at + 8 <= view.byteLength) {
    const name = nameAt(view, at);
    const size = view.getUint32(at + 4, true);
    const start = at + 8;
    const isUnknown = name === "data" && size === UNKNOWN_SIZE;
    if (!isUnknown && start + size > view.byteLength) {
      throw new WavFormatError(`The WAV file ends in the middle of its part ${JSON.stringify(name)}.`);
    }
    yield { name, start, end: isUnknown ? view.byteLength : start + size };
    // Chunks begin at even offsets.
    at = start + size + (size % 2);
  }
}

function readFormat(view: DataView, { start, end }: Chunk): { channels: number; sampleRateHz: number } {
  if (end - start < 16) throw new WavFormatError("The WAV file's description of its format is too short.");
  const named = view.getUint16(start, true);
  const isExtended = named === EXTENSIBLE_FORMAT && end - start >= SUBFORMAT_OFFSET + 2;
  const format = isExtended ? view.getUint16(start + SUBFORMAT_OFFSET, true) : named;
  const channels = view.getUint16(start + 2, true);
  const sampleRateHz = view.getUint32(start + 4, true);
  const bits = view.getUint16(start + 14, true);
  if (format !== PCM_FORMAT || bits !== 16) {
    throw new WavFormatError(`The WAV file must hold 16-bit PCM; it has format ${format} with ${bits} bits.`);
  }
  if (channels !== 1 && channels !== 2) {
    throw new WavFormatError(`The WAV file must have one or two channels; it has ${channels}.`);
  }
  if (sampleRateHz < 1000 || sampleRateHz > 384_000) {
    throw new WavFormatError(`The WAV file has an impossible sample rate of ${sampleRateHz} Hz.`);
  }
  return { channels, sampleRateHz };
}

/** An incomplete last frame is dropped. */
function readSamples(view: DataView, { start, end }: Chunk, channels: number): Int16Array[] {
  const count = Math.floor((end - start) / (2 * channels));
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Int16Array(count);
    for (let index = 0; index < count; index++) {
      samples[index] = view.getInt16(start + 2 * (index * channels + channel), true);
    }
    return samples;
  });
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}
