import { splitClauses } from "../conversation/texts/clauses.ts";
import type { Brain, CalleeTurn, Expectation, ReplyPart } from "../ports/brain.ts";
import type { ConversationJournal } from "../ports/conversation-journal.ts";
import { inLanguage, languageOfClause, plainText } from "../ports/speech-notation.ts";
import type { HeardText } from "../turns/replies/heard-text.ts";
import type { UntimedTurnEvent } from "../turns/turn-events.ts";
import type { ClauseRenderer } from "./clause-renderer.ts";
import type { LinePlayout } from "./line-playout.ts";
import { ReplyRun } from "./reply-run.ts";

interface ReplyControllerDeps {
  readonly brain: Brain;
  readonly playout: LinePlayout;
  readonly renderer: ClauseRenderer;
  readonly journal: ConversationJournal;
  readonly nowMs: () => number;
  readonly post: (event: UntimedTurnEvent) => void;
  /** The first clause of the opening is ready, there is none to render ahead, or it cannot be rendered. */
  readonly onOpeningReady: (error: unknown) => void;
}

interface Replying {
  readonly run: ReplyRun;
  readonly isFromBrain: boolean;
  /** The turn that it answers, while it is only prepared. */
  prepares: CalleeTurn | null;
  isThoughtOut: boolean;
}

interface ReplyManner {
  readonly isFromBrain: boolean;
  readonly isHeldBack: boolean;
  readonly prepares: CalleeTurn | null;
}

const FROM_BRAIN: ReplyManner = { isFromBrain: true, isHeldBack: false, prepares: null };

/** The replies of one call, one at a time: started, heard, cut off, undone. Each is reported to the brain exactly once. */
export class ReplyController {
  readonly #deps: ReplyControllerDeps;
  readonly #underWay = new Set<Promise<void>>();
  #replying: Replying | null = null;
  #expectation: Expectation | null = null;

  constructor(deps: ReplyControllerDeps) {
    this.#deps = deps;
  }

  /** Renders the first words. Asks the brain for them without starting the conversation. */
  prepareOpening(): void {
    const { brain, renderer, onOpeningReady } = this.#deps;
    renderer.prepareOpening(brain.likelyClauses()).then(() => onOpeningReady(null), onOpeningReady);
  }

  /** Starts the conversation and holds back its audio. */
  open(turnId: number): void {
    this.#begin(turnId, (signal) => this.#deps.brain.open(turnId, signal), { ...FROM_BRAIN, isHeldBack: true });
  }

  start(turnId: number, turn: CalleeTurn): void {
    this.#begin(turnId, (signal) => this.#deps.brain.reply(turnId, turn, signal), FROM_BRAIN);
  }

  /** Decides and renders the reply to a turn that has probably ended, so that it can be played at once or withdrawn. */
  prepare(turnId: number, turn: CalleeTurn): void {
    this.#begin(turnId, (signal) => this.#deps.brain.prepare(turnId, turn, signal), {
      ...FROM_BRAIN,
      isHeldBack: true,
      prepares: turn,
    });
  }

  /** The turn has ended. A reply whose preparation failed is started again. */
  commit(turnId: number): void {
    const replying = this.#of(turnId);
    const turn = replying?.prepares ?? null;
    if (replying === null || turn === null) return;
    const { brain, renderer } = this.#deps;
    if (replying.run.hasFailed) {
      this.#discard(replying);
      brain.withdraw(turnId);
      this.start(turnId, turn);
      return;
    }
    replying.prepares = null;
    brain.commit(turnId);
    this.#tellExpectation();
    replying.run.commit();
    if (replying.isThoughtOut) renderer.prepare(brain.likelyClauses());
  }

  /** The callee continued: nothing is left of the prepared reply. */
  withdraw(turnId: number): void {
    const replying = this.#of(turnId);
    if (replying === null || replying.prepares === null) return;
    const { brain, renderer } = this.#deps;
    this.#discard(replying);
    brain.withdraw(turnId);
    renderer.prepare(brain.likelyClauses());
  }

  recite(turnId: number, text: string | null): void {
    this.#begin(turnId, () => recital(text ?? this.#deps.brain.farewell()), { ...FROM_BRAIN, isFromBrain: false });
  }

  play(turnId: number): void {
    this.#of(turnId)?.run.play();
  }

  abort(turnId: number): void {
    this.#of(turnId)?.run.abort();
  }

  /** Records what was heard of the reply, up to the moment it was cut off, and finishes it. */
  commitHeard(turnId: number, untilMs: number | null): void {
    const replying = this.#of(turnId);
    if (replying === null) return;
    this.#replying = null;
    for (const { wasCut, orderMs, ...heard } of replying.run.heardByNode(untilMs)) {
      this.noteSaid(turnId, heard, wasCut, orderMs);
    }
    if (!replying.isFromBrain) return;
    const { heardText } = replying.run.heard(untilMs);
    this.#deps.brain.noteHeard(turnId, { text: heardText, wasCut: untilMs !== null });
    this.#tellExpectation();
  }

  undo(turnId: number): void {
    this.#deps.brain.undo(turnId);
    this.#tellExpectation();
  }

  /** Undoes what a machine said, and records which collected values remain. */
  disregardCallee(): void {
    const { brain, journal } = this.#deps;
    journal.note({ type: "answers_withdrawn", collected: brain.disregardCallee() });
    this.#tellExpectation();
  }

  /** A reply that was never audible is not recorded. */
  noteSaid(turnId: number, heard: HeardText, wasInterrupted: boolean, orderMs: number | null = null): void {
    const { text, heardText, startMs, endMs, words } = heard;
    if (startMs === null || endMs === null) return;
    const times = { startMs, endMs, words, ...(orderMs === null ? {} : { orderMs }) };
    this.#deps.journal.note({ type: "agent_said", turnId, text, heardText, wasInterrupted, ...times });
  }

  look(): void {
    this.#replying?.run.look();
  }

  /** Resolves when no reply is being generated any more, including cut-off ones. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #discard({ run }: Replying): void {
    run.abort();
    this.#replying = null;
  }

  #of(turnId: number): Replying | null {
    return this.#replying?.run.turnId === turnId ? this.#replying : null;
  }

  #begin(
    turnId: number,
    think: (signal: AbortSignal) => AsyncIterable<ReplyPart>,
    { isFromBrain, isHeldBack, prepares }: ReplyManner,
  ): void {
    if (this.#replying !== null) throw new Error("a reply was started while another one was in progress");
    const { journal, playout, renderer, post, nowMs } = this.#deps;
    const note = (part: ReplyPart, atMs: number) => this.#note(turnId, part, atMs);
    const onGap = (gapMs: number) =>
      journal.note({
        type: "incident",
        what: "speech_late",
        reason: `the agent's speech stopped for ${Math.round(gapMs)} ms within a sentence`,
        atMs: nowMs(),
        turnId,
      });
    const run = new ReplyRun({
      turnId,
      playout,
      renderer,
      post,
      nowMs,
      isHeldBack,
      isPrepared: prepares !== null,
      note,
      onGap,
    });
    const replying: Replying = { run, isFromBrain, prepares, isThoughtOut: false };
    this.#replying = replying;
    const thoughts = isFromBrain ? this.#thoughts(think, replying) : think(run.signal);
    const done = run.follow(thoughts).then(() => {
      this.#underWay.delete(done);
      replying.isThoughtOut = true;
      const isCurrent = isFromBrain && this.#replying === replying && replying.prepares === null;
      if (isCurrent) renderer.prepare(this.#deps.brain.likelyClauses());
    });
    this.#underWay.add(done);
  }

  /** What the brain expects may change with every part. */
  async *#thoughts(
    think: (signal: AbortSignal) => AsyncIterable<ReplyPart>,
    replying: Replying,
  ): AsyncGenerator<ReplyPart> {
    const { signal } = replying.run;
    const tell = () => {
      if (!signal.aborted && replying.prepares === null) this.#tellExpectation();
    };
    for await (const part of think(signal)) {
      tell();
      yield part;
    }
    tell();
  }

  #tellExpectation(): void {
    const { expectation } = this.#deps.brain;
    if (expectation === this.#expectation) return;
    this.#expectation = expectation;
    this.#deps.post({ type: "brain.expects", expectation });
  }

  #note(turnId: number, part: ReplyPart, atMs: number): void {
    const { journal } = this.#deps;
    switch (part.type) {
      case "entered":
        journal.note({ ...part, atMs });
        break;
      case "decided":
        journal.note({ type: "decided", turnId, decision: part.decision, atMs });
        break;
      case "collected":
        journal.note({ type: "collected", name: part.name, value: part.value });
        break;
      case "tool_call":
      case "tool_result":
        journal.note({ ...part, atMs });
        break;
      case "language_noticed":
        journal.note({ type: "language_noticed", language: part.language, atMs });
        break;
      case "suppress":
        journal.note({ type: "suppress" });
        break;
      default:
        break;
    }
  }
}

/** A text that does not come from the brain, such as a message for a voicemail, in clauses like every other text. */
async function* recital(text: string): AsyncGenerator<ReplyPart> {
  const { language, clause: words } = languageOfClause(text);
  for (const clause of splitClauses(words)) {
    const speech = language === null ? clause : inLanguage(clause, language);
    yield { type: "say", text: plainText(clause), speech, mayBeInterrupted: false };
  }
}
