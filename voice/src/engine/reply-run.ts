import type { ReplyPart } from "../ports/brain.ts";
import { reasonOf } from "../ports/provider-error.ts";
import { type HeardText, hearText, joinTexts, type PlayedClause } from "../turns/replies/heard-text.ts";
import type { ReplyCue, UntimedTurnEvent } from "../turns/turn-events.ts";
import type { ClauseRenderer } from "./clause-renderer.ts";
import {
  ClauseSpeaker,
  gapsMsOf,
  isClauseOver,
  newClause,
  playedClauseOf,
  type SpokenClause,
} from "./clause-speaker.ts";
import type { LinePlayout } from "./line-playout.ts";

interface ReplyRunDeps {
  readonly turnId: number;
  readonly playout: LinePlayout;
  readonly renderer: ClauseRenderer;
  readonly post: (event: UntimedTurnEvent) => void;
  readonly nowMs: () => number;
  /** Parts that are neither spoken nor executed on the line. They may arrive after a cut, if a tool was running. */
  readonly note: (part: ReplyPart, atMs: number) => void;
  /** Called when a clause was silent in the middle, because its audio was rendered too late. */
  readonly onGap: (gapMs: number) => void;
  /** Nothing is played before `play`. */
  readonly isHeldBack: boolean;
  /** It may be withdrawn: until `commit`, nothing of it is recorded or reported. */
  readonly isPrepared: boolean;
}

/** The items of a reply, in the order in which the callee receives them. */
type ReplyItem =
  | { readonly type: "clause"; readonly clause: SpokenClause; orderMs: number | null }
  | { readonly type: "cue"; readonly cue: ReplyCue }
  /** A decision or an entered node. */
  | { readonly type: "mark"; readonly part: ReplyPart; atMs: number | null; isNoted: boolean };

/** The words of one node, as far as they were heard. */
interface HeardSegment extends HeardText {
  /** Its position in the order of events, if that is before its first audio; otherwise null. */
  readonly orderMs: number | null;
  readonly wasCut: boolean;
}

/** Shorter gaps sound like a pause of the speaker. */
const GAP_MAX_MS = 60;

/**
 * One reply: the brain's text becomes clauses, clauses become audio, and the audio is played in order. An entered node or
 * a decision is recorded when the first words after it are heard, so that a transcript shows it directly
 * before them; a node without words is recorded when its turn comes.
 */
export class ReplyRun {
  readonly turnId: number;
  readonly #deps: ReplyRunDeps;
  readonly #controller = new AbortController();
  readonly #speaker: ClauseSpeaker;
  readonly #items: ReplyItem[] = [];
  /** The first unfinished item. */
  #next = 0;
  #isHeldBack: boolean;
  #isPrepared: boolean;
  /** What follows from a prepared reply once it is committed. */
  #deferred: ReplyPart[] = [];
  #hasFailed = false;
  #isReady = false;
  #isThoughtOut = false;
  #hasSounded = false;
  #isOver = false;

  constructor(deps: ReplyRunDeps) {
    const { turnId, playout, renderer, isHeldBack } = deps;
    this.turnId = turnId;
    this.#deps = deps;
    this.#isHeldBack = isHeldBack;
    this.#isPrepared = deps.isPrepared;
    this.#speaker = new ClauseSpeaker({
      playout,
      renderer,
      isHeldBack,
      signal: this.#controller.signal,
      onReady: () => this.#reportReady(),
      onFailure: (error) => this.#fail("voice", error),
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Resolves when the brain has finished and nothing is being rendered. Never rejects. */
  async follow(replies: AsyncIterable<ReplyPart>): Promise<void> {
    try {
      for await (const part of replies) {
        this.#take(part);
        if (part.type === "end") break;
      }
      this.#isThoughtOut = true;
      // A reply without speech is ready to execute its actions.
      if (!this.#items.some(({ type }) => type === "clause") && !this.signal.aborted) this.#reportReady();
    } catch (error) {
      this.#fail("brain", error);
    }
    await this.#speaker.settled();
    this.look();
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** A prepared reply stands: what followed from it so far happens now, and it is played. */
  commit(): void {
    this.#isPrepared = false;
    const clause = this.#items.find((item) => item.type === "clause");
    if (clause !== undefined) {
      this.#deps.post({ type: "reply.clause", turnId: this.turnId, text: clause.clause.text });
    }
    if (this.#isReady) this.#reportReady();
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const part of deferred) this.#take(part);
    this.play();
  }

  /** Releases the audio that was held back. */
  play(): void {
    this.#isHeldBack = false;
    this.#speaker.release();
    this.look();
  }

  /** Stops speaking, asking and rendering. What was heard stays known. */
  abort(): void {
    if (!this.#isHeldBack) this.#noteMarks(this.#items.length, this.#deps.nowMs());
    this.#isOver = true;
    this.#controller.abort(new Error("the reply was cut off"));
  }

  /** What the callee heard, up to a moment or in total. */
  heard(untilMs: number | null): HeardText {
    const clauses = this.#items.flatMap((item) => (item.type === "clause" ? [playedClauseOf(item.clause)] : []));
    return hearText(clauses, untilMs);
  }

  /** The same by node. Unheard words belong to the last node that was heard. */
  heardByNode(untilMs: number | null): readonly HeardSegment[] {
    const segments: HeardSegment[] = [];
    for (const { clauses, orderMs } of clausesByNode(this.#items)) {
      const heard = hearText(clauses, untilMs);
      const last = segments.at(-1);
      if (heard.startMs !== null) segments.push({ ...heard, orderMs, wasCut: false });
      else if (last) segments[segments.length - 1] = { ...last, text: joinTexts([last.text, heard.text]) };
    }
    return segments.map((segment, index) => ({
      ...segment,
      wasCut: untilMs !== null && index === segments.length - 1,
    }));
  }

  /** Reports what has started and ended since the last update, in order. The playout was updated before. */
  look(): void {
    if (this.#isOver || this.#isHeldBack) return;
    this.#speaker.handOver();
    for (let item = this.#items[this.#next]; item !== undefined; item = this.#items[this.#next]) {
      if (item.type === "clause" && !this.#lookAt(item.clause)) return;
      this.#next += 1;
      if (item.type === "cue") this.#noteMarks(this.#next, this.#deps.nowMs());
      if (item.type === "cue") this.#deps.post({ type: "reply.cue", turnId: this.turnId, cue: item.cue });
      if (this.#isOver) return;
    }
    if (!this.#isThoughtOut || !this.#speaker.isIdle) return;
    this.#noteMarks(this.#items.length, this.#deps.nowMs());
    this.#isOver = true;
    this.#deps.post({ type: "playout.finished", turnId: this.turnId });
  }

  /** True if the clause has ended. */
  #lookAt(clause: SpokenClause): boolean {
    const { turnId } = this;
    const { text, mayBeInterrupted } = clause;
    const startMs = clause.pieces[0]?.startMs ?? null;
    if (startMs !== null && !clause.hasStarted) {
      clause.hasStarted = true;
      this.#noteMarks(this.#next, startMs);
      if (!this.#hasSounded) this.#deps.post({ type: "playout.started", turnId, startMs });
      this.#hasSounded = true;
      this.#deps.post({ type: "playout.clause_started", turnId, text, mayBeInterrupted });
    }
    if (!isClauseOver(clause)) return false;
    const gapMs = gapsMsOf(clause);
    if (gapMs > GAP_MAX_MS) this.#deps.onGap(gapMs);
    return true;
  }

  #take(part: ReplyPart): void {
    const { turnId } = this;
    const nowMs = this.#deps.nowMs();
    if (this.#isPrepared && this.signal.aborted) return;
    if (this.#isPrepared && (this.signal.aborted || part.type === "waits")) return;
    if (this.#isPrepared && isDeferred(part)) {
      this.#deferred.push(part);
      return;
    }
    if ((part.type === "entered" || part.type === "decided") && !this.signal.aborted) {
      this.#items.push({ type: "mark", part, atMs: null, isNoted: false });
    } else if (isNoted(part)) {
      if (part.type === "tool_call" || part.type === "tool_result") this.#orderBefore(nowMs);
      this.#deps.note(part, nowMs);
    }
    if (this.signal.aborted) return;
    switch (part.type) {
      case "say": {
        const clause = newClause(part.text, part.mayBeInterrupted, part.speech);
        this.#items.push({ type: "clause", clause, orderMs: null });
        if (!this.#isPrepared) this.#deps.post({ type: "reply.clause", turnId, text: part.text });
        this.#speaker.say(clause);
        break;
      }
      case "press":
      case "transfer":
        this.#items.push({ type: "cue", cue: part });
        break;
      case "waits":
        this.#deps.post({ type: "reply.waits", turnId, on: part.on });
        break;
      case "model_asked":
        this.#deps.post({ type: "brain.model_asked", hasFailed: part.hasFailed });
        break;
      case "end":
        this.#deps.post({ type: "reply.closes", turnId, reason: part.reason });
        break;
      default:
        if (!this.#isPrepared) this.#deps.post({ type: "reply.progressed", turnId });
    }
  }

  /** Records the marks before `end` that were not recorded yet. */
  #noteMarks(end: number, atMs: number): void {
    for (const item of this.#items.slice(0, end)) {
      if (item.type !== "mark" || item.isNoted) continue;
      item.isNoted = true;
      this.#deps.note(item.part, item.atMs ?? atMs);
    }
  }

  /**
   * A tool is called while preceding words are still being played: they and their nodes stay before it in the
   * order of events, a millisecond for each node.
   */
  #orderBefore(toolMs: number): void {
    let orderMs = toolMs;
    let hasWords = false;
    for (const item of this.#items.toReversed()) {
      if (item.type === "clause") {
        if (item.clause.hasStarted) break;
        if (!hasWords) orderMs -= 1;
        hasWords = true;
        item.orderMs ??= orderMs;
      }
      if (item.type === "mark") {
        if (item.isNoted) break;
        item.atMs = orderMs;
        hasWords = false;
      }
    }
    this.#noteMarks(this.#items.length, toolMs);
  }

  #reportReady(): void {
    this.#isReady = true;
    if (!this.#isPrepared) this.#deps.post({ type: "reply.ready", turnId: this.turnId });
  }

  #fail(part: "brain" | "voice", error: unknown): void {
    if (this.#isOver) return;
    this.#hasFailed = true;
    if (this.#isPrepared) return;
    this.#deps.post({ type: "reply.failed", turnId: this.turnId, part, reason: reasonOf(error) });
  }
}

/** Everything but words, and the marks that are recorded with them. Keys and transfers wait for the words anyway. */
function isDeferred({ type }: ReplyPart): boolean {
  return type !== "say" && type !== "entered" && type !== "decided" && type !== "press" && type !== "transfer";
}

function clausesByNode(items: readonly ReplyItem[]): { clauses: PlayedClause[]; orderMs: number | null }[] {
  const nodes: { clauses: PlayedClause[]; orderMs: number | null }[] = [{ clauses: [], orderMs: null }];
  for (const item of items) {
    if (item.type === "mark" && item.part.type === "entered") nodes.push({ clauses: [], orderMs: null });
    const node = nodes.at(-1);
    if (item.type !== "clause" || node === undefined) continue;
    node.clauses.push(playedClauseOf(item.clause));
    node.orderMs ??= item.orderMs;
  }
  return nodes.filter(({ clauses }) => clauses.length > 0);
}

function isNoted(part: ReplyPart): boolean {
  return part.type !== "say" && part.type !== "press" && part.type !== "transfer" && part.type !== "end";
}
