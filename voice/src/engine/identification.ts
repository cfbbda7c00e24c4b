import { splitClauses } from "../conversation/texts/clauses.ts";
import { plainText } from "../ports/speech-notation.ts";
import type { ConversationOptions } from "../ports/voice-engine.ts";
import { hearText } from "../turns/replies/heard-text.ts";
import type { ClauseRenderer } from "./clause-renderer.ts";
import { isClauseOver, newClause, playedClauseOf, type SpokenClause } from "./clause-speaker.ts";
import { joinSamples } from "./join-samples.ts";
import type { LinePlayout } from "./line-playout.ts";

type IdentificationSentence = NonNullable<ConversationOptions["identification"]>;

interface IdentificationDeps {
  readonly sentence: IdentificationSentence;
  readonly playout: LinePlayout;
  readonly renderer: ClauseRenderer;
  /** It was heard, or as much of it as there was time for. */
  readonly onHeard: (heard: ReturnType<typeof hearText>) => void;
}

/** The sentence that says who is calling, rendered while it rings and played only if the greeting is late. */
export class Identification {
  readonly #deps: IdentificationDeps;
  readonly #controller = new AbortController();
  readonly #clause: SpokenClause;
  #samples: Int16Array | null;
  #isWanted = false;
  #isOver = false;

  constructor(deps: IdentificationDeps) {
    this.#deps = deps;
    this.#clause = newClause(plainText(deps.sentence.text), false);
    this.#samples = deps.sentence.clip;
  }

  /** Renders the audio, unless it was given. Resolves when done, and never rejects. */
  async prepare(): Promise<void> {
    const { sentence, renderer } = this.#deps;
    if (this.#samples !== null) return;
    const pieces: Int16Array[] = [];
    for (const clause of splitClauses(sentence.text)) {
      const rendered = await renderer.renderWhole(clause, this.#controller.signal);
      if (rendered === null || this.#isOver) return;
      pieces.push(...rendered);
    }
    this.#samples = joinSamples(pieces);
    if (this.#isWanted) this.play();
  }

  play(): void {
    this.#isWanted = true;
    if (this.#samples === null || this.#samples.length === 0 || this.#clause.pieces.length > 0 || this.#isOver) return;
    const piece = this.#deps.playout.speak(this.#samples);
    if (piece === null) return;
    this.#clause.pieces.push(piece);
    this.#clause.madeSamples = this.#samples.length;
    this.#clause.isComplete = true;
  }

  /** The greeting is ready: the identification is cancelled unless it is already playing. */
  stopWaiting(): void {
    this.#isWanted = false;
  }

  look(): void {
    if (this.#clause.pieces.length > 0 && isClauseOver(this.#clause)) this.close();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller.abort(new Error("the identification is no longer needed"));
    if (this.#clause.pieces.length > 0) this.#deps.onHeard(hearText([playedClauseOf(this.#clause)], null));
  }
}
