import type { WavSink } from "@parley/audio/wav-writer";
import { type DiskQueue, type WritableFile, writeWhole } from "./disk-queue.ts";

/** What may wait for the disk: half a minute of a stereo call. */
const WAITING_BYTES_MAX = 1024 * 1024;

/**
 * A recording's file as its writer sees it: nothing is waited for. Once a piece could not be written, or too much waits,
 * nothing more is, and the file stays as it was.
 */
export class FileWavSink implements WavSink {
  readonly #file: WritableFile;
  readonly #queue: DiskQueue;
  readonly #onTrouble: (error: unknown) => void;
  #appendedBytes = 0;
  #writtenBytes = 0;
  #waitingBytes = 0;
  #hasTrouble = false;
  #settled: Promise<void> = Promise.resolve();

  constructor(file: WritableFile, queue: DiskQueue, onTrouble: (error: unknown) => void) {
    this.#file = file;
    this.#queue = queue;
    this.#onTrouble = onTrouble;
  }

  /** How long the file is for certain. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Resolves when all that was given so far is written or given up on. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  append(bytes: Uint8Array): void {
    const position = this.#appendedBytes;
    this.#appendedBytes += bytes.length;
    this.#write(position, bytes, () => {
      this.#writtenBytes = position + bytes.length;
    });
  }

  patch(offset: number, bytes: Uint8Array): void {
    this.#write(offset, bytes, () => undefined);
  }

  #write(position: number, given: Uint8Array, onWritten: () => void): void {
    if (this.#hasTrouble) return;
    if (this.#waitingBytes + given.length > WAITING_BYTES_MAX) return this.#giveUp(new Error("the disk is too slow"));
    const bytes = given.slice();
    this.#waitingBytes += bytes.length;
    const written = this.#queue.run(async () => {
      if (this.#hasTrouble) return;
      await writeWhole(this.#file, position, bytes);
      onWritten();
    });
    this.#settled = written.then(
      () => {
        this.#waitingBytes -= bytes.length;
      },
      (error: unknown) => this.#giveUp(error),
    );
  }

  #giveUp(error: unknown): void {
    if (this.#hasTrouble) return;
    this.#hasTrouble = true;
    this.#onTrouble(error);
  }
}
