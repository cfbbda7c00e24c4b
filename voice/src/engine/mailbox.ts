interface MailboxOptions<Letter> {
  readonly capacity: number;
  /** Takes one letter after the other. Letters that are posted meanwhile wait for their turn. */
  readonly read: (letter: Letter) => void;
  /** Called once, when there is no room: whoever cannot keep up is not helped by a longer queue. */
  readonly onOverflow: () => void;
}

/**
 * What happens to one call, one at a time and in order. Reading begins with the first letter and goes on until none is
 * left, on the spot: nothing waits for a promise, and no letter is read inside the reading of another.
 */
export class Mailbox<Letter> {
  readonly #options: MailboxOptions<Letter>;
  #letters: Letter[] = [];
  #isReading = false;
  #isClosed = false;

  constructor(options: MailboxOptions<Letter>) {
    this.#options = options;
  }

  /** False when it was not taken: the mailbox is closed, or full. */
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

  /** What is not read yet never will be. */
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
