interface Waiting<Message> {
  readonly isIt: (message: Message) => boolean;
  readonly found: (message: Message) => void;
  readonly gaveUp: (error: Error) => void;
}

/** How long a script waits for what should come. SIP's own patience is 32 s. */
const PATIENCE_MS = 45_000;

/** Messages that came, each taken once by whoever waits for one like it. */
export class Inbox<Message> {
  readonly #messages: Message[] = [];
  readonly #waiting = new Set<Waiting<Message>>();

  put(message: Message): void {
    for (const waiting of this.#waiting) {
      if (!waiting.isIt(message)) continue;
      this.#waiting.delete(waiting);
      waiting.found(message);
      return;
    }
    this.#messages.push(message);
  }

  take(isIt: (message: Message) => boolean, what: string): Promise<Message> {
    const there = this.#messages.findIndex(isIt);
    const [message] = there < 0 ? [] : this.#messages.splice(there, 1);
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiting.gaveUp(new Error(`${what} did not come`)), PATIENCE_MS);
      const waiting: Waiting<Message> = {
        isIt,
        found: (found) => {
          clearTimeout(timer);
          resolve(found);
        },
        gaveUp: (error) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          reject(error);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  close(): void {
    for (const { gaveUp } of [...this.#waiting]) gaveUp(new Error("the call is closed"));
  }
}
