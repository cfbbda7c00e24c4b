/**
 * Where the sender said that it sends nothing: comfort noise (RFC 3389), telephone events (RFC 4733), and what lies
 * before its first packet. What is missing there is silence; elsewhere it is lost.
 */
export class AnnouncedSilence {
  #start = 0;
  #end = 0;

  get isOpen(): boolean {
    return this.#end === Number.POSITIVE_INFINITY;
  }

  /** A stream begins here, and what lies before was never sent. */
  beginStream(time: number): void {
    this.#start = Number.NEGATIVE_INFINITY;
    this.#end = time;
  }

  announce(time: number): void {
    this.#start = time;
    this.#end = Number.POSITIVE_INFINITY;
  }

  /** Sound came with this time, and ends the silence if it lies in it. */
  noteSound(time: number): void {
    if (this.covers(time)) this.#end = time;
  }

  covers(time: number): boolean {
    return time >= this.#start && time < this.#end;
  }
}
