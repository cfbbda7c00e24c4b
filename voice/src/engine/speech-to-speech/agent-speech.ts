import type { Line } from "../../ports/line.ts";
import type { OwnLine } from "../../ports/speech-model.ts";
import { heardUntilMs } from "../../turns/replies/heard-text.ts";
import type { ModelSpeechEvent } from "./decisions/speech-step.ts";
import { type HeardItem, ModelSpeech } from "./model-speech.ts";
import type { ModelSuccession } from "./model-succession.ts";
import type { SpeechJournal } from "./speech-journal.ts";

/** Marks what another voice than the model's says. */
const OWN = "own:";

/** How often the model is asked again for words that it must say. */
const REMINDERS_MAX = 2;
/** The share of the required words that must have been heard, in order. Transcripts spell some words differently. */
const HEARD_SHARE = 0.85;

/** What the callee must hear, word for word, and what they have heard of the model so far. */
class RequiredWords {
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

/**
 * What the agent says, by the model or by another voice. What the callee heard of it is noted once: in the journal, and
 * of the model also for those that take over and among the words that must be heard.
 */
export class AgentSpeech {
  readonly requiredWords = new RequiredWords();
  readonly #speech: ModelSpeech;
  readonly #line: Line;
  readonly #journal: SpeechJournal;
  readonly #models: ModelSuccession;
  readonly #heardDelayMs: number;
  #lastSaidMs = 0;
  #soundMs = 0;
  #modelSoundMs = 0;

  constructor(line: Line, journal: SpeechJournal, models: ModelSuccession, heardDelayMs: number) {
    this.#speech = new ModelSpeech(line.playout);
    this.#line = line;
    this.#journal = journal;
    this.#models = models;
    this.#heardDelayMs = heardDelayMs;
  }

  /** Something is being said, or is waiting to be. */
  get isAudible(): boolean {
    return !this.#speech.isIdle;
  }

  /** When the callee last heard something to its end, or to where it was stopped. */
  get lastSaidMs(): number {
    return this.#lastSaidMs;
  }

  /** Until when the callee heard the agent, in whatever voice. */
  get soundMs(): number {
    return this.#soundMs;
  }

  /** Until when the callee heard the model. */
  get modelSoundMs(): number {
    return this.#modelSoundMs;
  }

  isDropped(itemId: string): boolean {
    return this.#speech.isDropped(itemId);
  }

  /** Nothing of it is played, whatever arrives. */
  drop(itemId: string): void {
    this.#speech.drop(itemId);
  }

  add(event: ModelSpeechEvent): void {
    const { itemId } = event;
    const turnId = this.#speech.isKnown(itemId) ? this.#journal.turnId : this.#journal.beginTurn();
    if (event.type === "text") this.#speech.addText(itemId, turnId, event.text);
    else this.#speech.addAudio(itemId, turnId, event.samples);
  }

  playOwn(name: string, { text, clip }: OwnLine): void {
    const [id, turnId] = [`${OWN}${name}`, this.#journal.beginTurn()];
    this.#speech.addText(id, turnId, text);
    this.#speech.addAudio(id, turnId, clip);
    this.#speech.complete();
  }

  /** Whatever was added so far is all of it. */
  complete(): void {
    this.#speech.complete();
  }

  /** Notes what was heard to its end. */
  look(): void {
    for (const item of this.#speech.look()) this.#note(item, false);
    if (this.#speech.isPlaying()) this.#soundMs = this.#journal.nowMs;
    if (this.#speech.isPlaying(isOfModel)) this.#modelSoundMs = this.#journal.nowMs;
  }

  /** The model is gone: what it was saying ends. What another voice says is heard to its end. */
  stopModel(): void {
    if (!this.#speech.isPlaying() || this.#speech.isPlaying(isOfModel)) this.stop();
  }

  /** Silence from the next frame on. The model and the journal keep what the callee heard. */
  stop(): void {
    const untilMs = heardUntilMs(this.#speech.positionMs, this.#line.roundTripMs(), this.#heardDelayMs);
    const heard = this.#speech.stop(untilMs);
    // Only the item that was being heard can be truncated; the model has nothing to forget of those before it.
    const ofModel = heard.filter(({ id }) => isOfModel(id));
    const current = ofModel.findLast(({ heardMs }) => heardMs > 0) ?? ofModel[0];
    const { heardMs = 0, heardText = "" } = current ?? {};
    this.#models.session?.interrupt(current?.id ?? null, { ms: Math.round(heardMs), text: heardText });
    for (const item of heard) this.#note(item, true);
  }

  /** After an interruption: the model learns what must still be heard. */
  informOfRequiredWords(): void {
    const { missing } = this.requiredWords;
    if (missing === null) return;
    this.#models.session?.inform(
      `The callee has not heard this yet: "${missing}" Begin your next reply with exactly these words.`,
    );
  }

  #note({ id, turnId, text, heardText, words, startMs, endMs }: HeardItem, wasInterrupted: boolean): void {
    if (startMs === null || endMs === null) return;
    this.#lastSaidMs = this.#journal.nowMs;
    this.#journal.note({ type: "agent_said", turnId, text, heardText, wasInterrupted, startMs, endMs, words });
    if (!isOfModel(id)) return;
    this.#models.remember("agent", heardText);
    this.requiredWords.hear(heardText);
  }
}

function isOfModel(itemId: string): boolean {
  return !itemId.startsWith(OWN);
}
