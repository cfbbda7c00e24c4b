interface MailboxOptions<Letter> {
  readonly capacity: number;
  /** Handles one event at a time. Events posted in the meantime are queued. */
  readonly read: (letter: Letter) => void;
  /** Called once when the queue is full: a longer queue would not help a consumer that cannot keep up. */
  readonly onOverflow: () => void;
}

/**
 * The events of one call, one at a time and in order. Handling starts with the first event and continues until the queue is
 * empty, synchronously: nothing waits for a promise, and no event is handled inside the handling of another.
 */
export class Mailbox<Letter> {
  readonly #options: MailboxOptions<Letter>;
  #letters: Letter[] = [];
  #isReading = false;
  #isClosed = false;

  constructor(options: MailboxOptions<Letter>) {
    this.#options = options;
  }

  /** False if it was not accepted: the mailbox is closed or full. */
  post(letter: Letter): boolean {
    if (this.#isClosed) return false;
    if (this.#letters.length >= this.#options.capacity) {
      this.close();
      this.#options.onOverflow();
      return false;
    }
    this.#letters.push(letter);
    if (!this.#isReading) this.#readAll();
    return true;
  }

  /** Drops all queued events. */
  close(): void {
    this.#isClosed = true;
    this.#letters = [];
  }

  #readAll(): void {
    this.#isReading = true;
    try {
      for (let next = this.#letters.shift(); next !== undefined; next = this.#letters.shift()) this.#options.read(next);
    } finally {
      this.#isReading = false;
    }
  }
}
