/** How often the model is asked again for words that it must say. */
const REMINDERS_MAX = 2;
/** The share of the required words that must have been heard, in order. Transcripts spell some words differently. */
const HEARD_SHARE = 0.85;

/** What the callee must hear, word for word, and what they have heard of the model so far. */
export class RequiredWords {
  #missing: string | null = null;
  #reminders = 0;
  #heard = "";

  require(text: string): void {
    this.#missing = text;
    this.#reminders = 0;
  }

  /** Null when everything was heard. */
  get missing(): string | null {
    return this.#missing;
  }

  get hasHeardAnything(): boolean {
    return this.#heard !== "";
  }

  hear(text: string): void {
    this.#heard = `${this.#heard} ${text}`;
    if (this.#missing !== null && covers(this.#heard, this.#missing)) this.#missing = null;
  }

  /** Whether it is worth asking the model for them once more. */
  get mayRemind(): boolean {
    return this.#reminders < REMINDERS_MAX;
  }

  countReminder(): void {
    this.#reminders += 1;
  }

  /** The model does not say them: they are not required any more. */
  giveUp(): void {
    this.#missing = null;
  }
}

/** Whether most of the words of a text occur in what was heard, in order. */
function covers(heard: string, text: string): boolean {
  const [all, wanted] = [plainWordsOf(heard), plainWordsOf(text)];
  let at = 0;
  let found = 0;
  for (const word of wanted) {
    const next = all.indexOf(word, at);
    if (next < 0) continue;
    found += 1;
    at = next + 1;
  }
  return wanted.length === 0 || found / wanted.length >= HEARD_SHARE;
}

function plainWordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize("NFKD")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
