import { splitClauses } from "../conversation/texts/clauses.ts";
import { plainText } from "../ports/speech-notation.ts";
import type { SpareText } from "../ports/voice-engine.ts";
import { hearText } from "../turns/replies/heard-text.ts";
import type { ClauseRenderer } from "./clause-renderer.ts";
import { isClauseOver, newClause, playedClauseOf, type SpokenClause } from "./clause-speaker.ts";
import { joinSamples } from "./join-samples.ts";
import type { LinePlayout } from "./line-playout.ts";

interface SpareSentenceDeps {
  readonly sentence: SpareText;
  readonly playout: LinePlayout;
  readonly renderer: ClauseRenderer;
  /** It was heard, or as much of it as there was time for. */
  readonly onHeard: (heard: ReturnType<typeof hearText>) => void;
}

/** A sentence in the voice of the call that is rendered in advance, and played at most once if something is late or failed. */
export class SpareSentence {
  readonly #deps: SpareSentenceDeps;
  readonly #controller = new AbortController();
  readonly #clause: SpokenClause;
  #samples: Int16Array | null;
  /** The voice in which it was rendered; null for a clip that was given. */
  #voiceId: string | null = null;
  #isWanted = false;
  #isOver = false;

  constructor(deps: SpareSentenceDeps) {
    this.#deps = deps;
    this.#clause = newClause(plainText(deps.sentence.text), false);
    this.#samples = deps.sentence.clip;
  }

  /** Renders the audio, unless it was given. Resolves when done, and never rejects. */
  async prepare(): Promise<void> {
    const { sentence, renderer } = this.#deps;
    if (this.#samples !== null) return;
    const pieces: Int16Array[] = [];
    const { voiceId } = renderer;
    for (const clause of splitClauses(sentence.text)) {
      const rendered = await renderer.renderWhole(clause, this.#controller.signal);
      if (rendered === null || this.#isOver) return;
      pieces.push(...rendered);
    }
    this.#samples = joinSamples(pieces);
    this.#voiceId = voiceId;
    if (this.#isWanted) this.play();
  }

  /** Does nothing if the call is held in another voice by now. */
  play(): void {
    this.#isWanted = true;
    const { renderer } = this.#deps;
    if (this.#voiceId !== null && this.#voiceId !== renderer.voiceId) return;
    if (this.#samples === null || this.#samples.length === 0 || this.#clause.pieces.length > 0 || this.#isOver) return;
    const piece = this.#deps.playout.speak(this.#samples);
    if (piece === null) return;
    renderer.keepVoice();
    this.#clause.pieces.push(piece);
    this.#clause.madeSamples = this.#samples.length;
    this.#clause.isComplete = true;
  }

  /** What it stands in for is ready: it is cancelled unless it is already playing. */
  stopWaiting(): void {
    this.#isWanted = false;
  }

  look(): void {
    if (this.#clause.pieces.length > 0 && isClauseOver(this.#clause)) this.close();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller.abort(new Error("the sentence is no longer needed"));
    if (this.#clause.pieces.length > 0) this.#deps.onHeard(hearText([playedClauseOf(this.#clause)], null));
  }
}
