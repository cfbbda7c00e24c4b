/**
 * Where the sender announced that it sends nothing: comfort noise (RFC 3389), telephone events (RFC 4733), and the time
 * before its first packet. What is missing there is silence; elsewhere it is lost.
 */
export class AnnouncedSilence {
  #start = 0;
  #end = 0;

  get isOpen(): boolean {
    return this.#end === Number.POSITIVE_INFINITY;
  }

  /** A stream begins here; nothing was sent before. */
  beginStream(time: number): void {
    this.#start = Number.NEGATIVE_INFINITY;
    this.#end = time;
  }

  announce(time: number): void {
    this.#start = time;
    this.#end = Number.POSITIVE_INFINITY;
  }

  /** Audio arrived for this time; it ends a silence that contains it. */
  noteAudio(time: number): void {
    if (this.covers(time)) this.#end = time;
  }

  covers(time: number): boolean {
    return time >= this.#start && time < this.#end;
  }
}
