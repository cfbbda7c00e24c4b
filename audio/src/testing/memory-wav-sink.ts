import type { WavSink } from "../wav-writer.ts";

/** A file in memory that remembers what it looked like after every change, as a crash would leave it. */
export class MemoryWavSink implements WavSink {
  readonly states: Uint8Array[] = [];
  #bytes = new Uint8Array(0);

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  append(bytes: Uint8Array): void {
    const longer = new Uint8Array(this.#bytes.length + bytes.length);
    longer.set(this.#bytes);
    longer.set(bytes, this.#bytes.length);
    this.#bytes = longer;
    this.states.push(longer.slice());
  }

  patch(offset: number, bytes: Uint8Array): void {
    if (offset + bytes.length > this.#bytes.length) throw new RangeError("a patch beyond the end of the file");
    this.#bytes.set(bytes, offset);
    this.states.push(this.#bytes.slice());
  }
}
