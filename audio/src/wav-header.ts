/**
 * The 44 bytes written before 16-bit PCM:
 *
 *     0  "RIFF"  size of all that follows   8  "WAVE"
 *    12  "fmt "  16   20 format 1 (PCM)   22 channels   24 rate   28 bytes per second   32 bytes per frame   34 bits
 *    36  "data"  40 size of the samples
 */
export const WAV_HEADER_BYTES = 44;
export const RIFF_SIZE_OFFSET = 4;
export const DATA_SIZE_OFFSET = 40;

const BYTES_PER_SAMPLE = 2;
const PCM_FORMAT = 1;
/** Sizes are 32 bits wide: some 37 hours of a stereo call. */
const DATA_BYTES_MAX = 0xffff_ffff - WAV_HEADER_BYTES;

export interface WavShape {
  sampleRateHz: number;
  channels: 1 | 2;
}

export function bytesPerFrame({ channels }: Pick<WavShape, "channels">): number {
  return channels * BYTES_PER_SAMPLE;
}

export function wavHeader({ sampleRateHz, channels }: WavShape, dataBytes: number): Uint8Array {
  const bytes = new Uint8Array(WAV_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const frameBytes = bytesPerFrame({ channels });
  writeName(view, 0, "RIFF");
  writeName(view, 8, "WAVE");
  writeName(view, 12, "fmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM_FORMAT, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * frameBytes, true);
  view.setUint16(32, frameBytes, true);
  view.setUint16(34, 8 * BYTES_PER_SAMPLE, true);
  writeName(view, 36, "data");
  writeSizes(bytes, dataBytes);
  return bytes;
}

/** Writes both sizes of a header in place. */
export function writeSizes(header: Uint8Array, dataBytes: number): void {
  const view = new DataView(header.buffer, header.byteOffset);
  const size = Math.min(dataBytes, DATA_BYTES_MAX);
  view.setUint32(RIFF_SIZE_OFFSET, size + WAV_HEADER_BYTES - 8, true);
  view.setUint32(DATA_SIZE_OFFSET, size, true);
}

/**
 * The header that a recording should have, given its first 44 bytes and the length of the whole file, or null when it
 * already does. A last frame that was cut in two is left out. Used to repair files after a crash: it refuses any header
 * that this workspace did not write.
 */
export function repairWavHeader(header: Uint8Array, fileBytes: number): Uint8Array | null {
  if (header.length < WAV_HEADER_BYTES || fileBytes < WAV_HEADER_BYTES) throw new Error("the header is incomplete");
  const view = new DataView(header.buffer, header.byteOffset);
  const channels = view.getUint16(22, true);
  if (channels !== 1 && channels !== 2) throw new Error("this is not a recording of ours");
  const held = header.slice(0, WAV_HEADER_BYTES);
  const heldBytes = view.getUint32(DATA_SIZE_OFFSET, true);
  const own = wavHeader({ sampleRateHz: view.getUint32(24, true), channels }, heldBytes);
  // Everything but the sizes must be as we write it.
  const isOurs = own.every((byte, index) => byte === held[index] || isSizeByte(index));
  if (!isOurs) throw new Error("this is not a recording of ours");
  const frameBytes = bytesPerFrame({ channels });
  const dataBytes = Math.floor((fileBytes - WAV_HEADER_BYTES) / frameBytes) * frameBytes;
  writeSizes(own, dataBytes);
  return own.every((byte, index) => byte === held[index]) ? null : own;
}

function isSizeByte(index: number): boolean {
  return (index >= RIFF_SIZE_OFFSET && index < RIFF_SIZE_OFFSET + 4) || index >= DATA_SIZE_OFFSET;
}

function writeName(view: DataView, at: number, name: string): void {
  for (let index = 0; index < name.length; index++) view.setUint8(at + index, name.charCodeAt(index));
}
