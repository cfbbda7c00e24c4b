/**
 * Lets one piece of work on the disk follow the other. A disk that hangs then holds up one of the few threads that all
 * file and name look-ups of the process share, and not every one of them.
 */
export class DiskQueue {
  #last: Promise<void> = Promise.resolve();

  /** Does it after all that was asked before. Rejects as the work does, and then the next is tried all the same. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }
}

/** What is needed of an open file. */
export interface WritableFile {
  write(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
}

/** The system may write less than it was given. */
export async function writeWhole(file: WritableFile, position: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    if (bytesWritten === 0) throw new Error("nothing could be written");
    at += bytesWritten;
  }
}
