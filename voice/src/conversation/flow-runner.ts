import type { CompiledFlow } from "@parley/flow/compile";
import type { Timers } from "@parley/time/clock";
import { packOf } from "../languages/language-pack.ts";
import type { AnswerJudge } from "../ports/answer-judge.ts";
import type { Brain, CalleeTurn, Expectation, ReplyPart } from "../ports/brain.ts";
import type { IntentRanker } from "../ports/intent-ranker.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { MayDial } from "../ports/line.ts";
import { inLanguage } from "../ports/speech-notation.ts";
import type { McpFunction, ToolCaller } from "../ports/tool-caller.ts";
import { askForClearAnswer, askOf, noteCut } from "./ask-question.ts";
import { type CallContext, type CallFacts, farewellOf, openContext, speechOf } from "./call-context.ts";
import { currentContext, expectationInLanguage, respondInLanguage, spokenContext } from "./callee-language.ts";
import { noteUnheard, withIntroduction } from "./cut-reply.ts";
import { expectationOf } from "./expectation.ts";
import { type Asking, BEGINNING, type FlowState, remember, type SpokenClause } from "./flow-state.ts";
import type { ModelTimes, NoteFault } from "./model/ask-models.ts";
import { contentOf, reportResults } from "./model/converse.ts";
import type { Outcome } from "./outcome.ts";
import { performWait } from "./perform-wait.ts";
import { openFlow } from "./respond-to-turn.ts";
import { goOnWith } from "./take-answer.ts";
import { type KeptRequest, ToolLedger } from "./tools/tool-ledger.ts";
import { phrasesToRank } from "./understanding/find-global.ts";
import { answerFor } from "./understanding/read-choice.ts";
import { enterNode, giveUp } from "./walk-flow.ts";

export interface FlowRunnerOptions {
  readonly plan: CompiledFlow;
  readonly call: CallFacts;
  /** A BCP 47 tag. */
  readonly language: string;
  /** The other languages that the engine of the call hears and speaks, as BCP 47 tags. Left out: none. */
  readonly spoken?: readonly string[];
  /** The call's inputs. */
  readonly variables: Readonly<Record<string, string>>;
  readonly ranker: IntentRanker | null;
  /** Gives a second opinion on answers, if the installation has one for the language. */
  readonly judge?: AnswerJudge | null;
  /** In the order in which they are asked; empty if none is configured. */
  readonly models: readonly LanguageModel[];
  readonly modelTimes?: ModelTimes;
  readonly toolCaller: ToolCaller | null;
  /** Approved tools of MCP servers. Omitted: none. */
  readonly mcpFunctions?: readonly McpFunction[];
  readonly mayDial: MayDial;
  readonly timers: Timers;
  /** Aborted when the call is over, which stops everything still in progress. */
  readonly signal: AbortSignal;
  /** Called for every failure that did not end the conversation. */
  readonly noteFault: NoteFault;
  /** Continues from there instead of from the beginning. */
  readonly resumesFrom?: FlowSnapshot;
}

/**
 * The state of a conversation between two turns, as plain data. The last reply may still be recorded as heard or cut
 * off.
 */
export interface FlowSnapshot {
  readonly turnId: number;
  readonly state: FlowState;
  readonly requests: readonly KeptRequest[];
}

/** A brain that can be suspended after a reply and resumed elsewhere. */
interface BeforePrepared {
  readonly turnId: number;
  readonly state: FlowState;
  readonly before: ReadonlyMap<number, FlowState>;
  readonly beforeCallee: FlowState | null;
  readonly owed: readonly ReplyPart[];
  readonly unplayed: Outcome | null;
  readonly undoneCalls: ReadonlyMap<string, string>;
}

export interface FlowBrain extends Brain {
  snapshot(): FlowSnapshot;
}

/** This many turns can be taken back, more than ever happens. */
const UNDO_MAX = 4;

/** Creates the brain of one call from a compiled flow. */
export function createFlowRunner(options: FlowRunnerOptions): FlowBrain {
  return new FlowRunner(options);
}

class FlowRunner implements FlowBrain {
  readonly #options: FlowRunnerOptions;
  /** In the language of the agent. */
  readonly #ownContext: CallContext;
  readonly #ledger: ToolLedger;
  #state: FlowState;
  /** The conversation before each of the last turns. */
  readonly #before = new Map<number, FlowState>();
  #turnId: number | null;
  /** The clauses of the newest reply that are known so far. */
  #said: SpokenClause[] = [];
  /** What still has to be journalled because a reply was cut off. */
  #owed: ReplyPart[] = [];
  /** A reply of which no part was requested yet. */
  #unplayed: Outcome | null = null;
  #undoneCalls: ReadonlyMap<string, string> = new Map();
  /** The conversation before the callee first had the floor, as long as the callee may turn out to be a machine. */
  #beforeCallee: FlowState | null = null;
  /** Everything as it was before the reply that is only prepared. */
  #beforePrepared: BeforePrepared | null = null;

  constructor(options: FlowRunnerOptions) {
    this.#options = options;
    this.#ownContext = openContext(options.plan, options.call, options.language, options.variables, {
      hasModel: options.models.length > 0,
      ...(options.mcpFunctions ? { mcpFunctions: options.mcpFunctions } : {}),
      spoken: options.spoken ?? [],
    });
    const { toolCaller: caller, timers, signal } = options;
    this.#ledger = new ToolLedger({ caller, timers, signal }, options.resumesFrom?.requests);
    this.#state = { ...BEGINNING, ...options.resumesFrom?.state };
    this.#turnId = options.resumesFrom?.turnId ?? null;
    const phrases = phrasesToRank(this.#context);
    if (phrases.length > 0 && packOf(options.language) === null) options.ranker?.prepare(phrases);
  }

  /** In the language of the call now. */
  get #context(): CallContext {
    return currentContext(this.#ownContext, this.#state);
  }

  get expectation(): Expectation {
    const own = expectationOf(this.#context, this.#state);
    return expectationInLanguage(this.#ownContext, this.#state, own);
  }

  likelyClauses(): readonly string[] {
    const { current, offer } = this.#state.languages;
    if (offer !== null) return [];
    const clauses = likelyClauses(this.#context, this.#state);
    return current === null ? clauses : clauses.map((clause) => inLanguage(clause, current));
  }

  farewell(): string {
    // A reply that is only prepared has changed nothing yet.
    const state = this.#beforePrepared?.state ?? this.#state;
    const context = spokenContext(this.#ownContext, state);
    const text = farewellOf(context);
    return context.isTranslated ? inLanguage(text, context.language) : text;
  }

  snapshot(): FlowSnapshot {
    return { turnId: this.#turnId ?? 0, state: this.#state, requests: this.#ledger.kept() };
  }

  open(turnId: number, signal: AbortSignal): AsyncIterable<ReplyPart> {
    return this.#begin(turnId, signal, () => openFlow(this.#context, this.#state));
  }

  reply(turnId: number, turn: CalleeTurn, signal: AbortSignal): AsyncIterable<ReplyPart> {
    return this.#begin(turnId, signal, () => {
      const text = "text" in turn ? turn.text : turn.type === "pressed" ? `(pressed ${turn.keys})` : "";
      if (turn.type !== "machine") this.#beforeCallee ??= this.#state;
      // A machine is not introduced to anyone.
      else this.#state = { ...this.#state, introductionOwed: [] };
      if (text !== "") this.#state = remember(this.#state, { role: "callee", text });
      return respondInLanguage(this.#ownContext, this.#state, turn);
    });
  }

  prepare(turnId: number, turn: CalleeTurn, signal: AbortSignal): AsyncIterable<ReplyPart> {
    this.#beforePrepared = {
      turnId,
      state: this.#state,
      before: new Map(this.#before),
      beforeCallee: this.#beforeCallee,
      owed: [...this.#owed],
      unplayed: this.#unplayed,
      undoneCalls: this.#undoneCalls,
    };
    this.#ledger.suspend();
    return this.reply(turnId, turn, signal);
  }

  commit(turnId: number): void {
    if (this.#beforePrepared?.turnId !== turnId) return;
    this.#beforePrepared = null;
    this.#ledger.resume();
  }

  withdraw(turnId: number): void {
    const saved = this.#beforePrepared;
    if (saved?.turnId !== turnId) return;
    this.#beforePrepared = null;
    this.#state = saved.state;
    this.#before.clear();
    for (const [id, state] of saved.before) this.#before.set(id, state);
    this.#beforeCallee = saved.beforeCallee;
    this.#owed = [...saved.owed];
    this.#unplayed = saved.unplayed;
    this.#undoneCalls = saved.undoneCalls;
    this.#turnId = null;
    this.#ledger.resume();
  }

  noteHeard(turnId: number, heard: { readonly text: string; readonly wasCut: boolean }): void {
    if (turnId !== this.#turnId) return;
    if (heard.text.trim() !== "") this.#state = remember(this.#state, { role: "agent", text: heard.text.trim() });
    if (!heard.wasCut) {
      this.#state = { ...this.#state, unheard: [] };
      return;
    }
    const noted = noteCut(this.#context, this.#state, heard.text);
    this.#state = noteUnheard(this.#context, noted, this.#said, heard.text);
  }

  permitEffects(): void {
    this.#ledger.permit();
  }

  disregardCallee(): FlowState["collected"] {
    const before = this.#beforeCallee;
    if (before !== null) {
      const { history, requests, isDisclosed } = this.#state;
      // In the language that was spoken before.
      const firstSaid = before.firstSaid ?? this.#state.firstSaid;
      this.#state = { ...before, history, requests, isDisclosed, firstSaid };
      this.#beforeCallee = null;
      this.#before.clear();
      this.#dropReply();
    }
    return this.#state.collected;
  }

  undo(turnId: number): void {
    const before = this.#before.get(turnId);
    if (before === undefined) return;
    // What tools did outside the call stays done, and the next decision must know about it.
    const known = new Set(before.history);
    const calls = this.#state.history.flatMap((item) => (item.role === "tool_call" && !known.has(item) ? [item] : []));
    this.#undoneCalls = new Map(calls.map(({ tool, input, callId }) => [contentOf(tool, input), callId]));
    this.#state = remember(before, ...calls);
    for (const id of this.#before.keys()) if (id >= turnId) this.#before.delete(id);
    this.#dropReply();
  }

  /** The reply in progress produces nothing more, except what already happened. */
  #dropReply(): void {
    this.#turnId = null;
    this.#unplayed = null;
    this.#owed = this.#owed.filter(
      ({ type }) => type === "suppress" || type === "tool_call" || type === "language_noticed",
    );
  }

  /** Decides immediately, so that the turn counts however little of the reply is heard; the words follow on demand. */
  #begin(turnId: number, signal: AbortSignal, decide: () => Outcome): AsyncIterable<ReplyPart> {
    this.#owed.push(...(this.#unplayed?.parts ?? []).filter(isOwed));
    this.#before.set(turnId, this.#state);
    for (const id of this.#before.keys()) if (this.#before.size > UNDO_MAX) this.#before.delete(id);
    this.#turnId = turnId;
    this.#said = [];
    let outcome: Outcome;
    try {
      outcome = decide();
    } catch (error) {
      outcome = this.#fail(error);
    }
    const introduced = introduce(this.#state, { ...outcome, state: { ...outcome.state, unheard: [] } });
    this.#state = introduced.state;
    this.#unplayed = introduced;
    return this.#inLanguage(this.#play(turnId, signal, introduced));
  }

  /** What is said in another language than the agent's is marked for the voice. */
  async *#inLanguage(parts: AsyncIterable<ReplyPart>): AsyncGenerator<ReplyPart, void, undefined> {
    for await (const part of parts) {
      const { current } = this.#state.languages;
      if (part.type !== "say" || current === null) yield part;
      else yield { ...part, speech: inLanguage(speechOf(part), current) };
    }
  }

  async *#play(turnId: number, signal: AbortSignal, first: Outcome): AsyncGenerator<ReplyPart, void, undefined> {
    if (this.#unplayed === first) this.#unplayed = null;
    const owed = this.#owed;
    this.#owed = [];
    let outcome: Outcome | null = { ...first, parts: [...owed, ...reportResults(this.#ledger), ...first.parts] };
    while (outcome !== null) {
      this.#said.push(...outcome.parts.filter((part) => part.type === "say"));
      yield* this.#give(outcome.parts, turnId, signal);
      if (this.#isStale(turnId, signal)) return;
      outcome = yield* this.#perform(outcome, turnId, signal);
      if (this.#isStale(turnId, signal)) return;
      if (outcome !== null) {
        outcome = introduce(this.#state, outcome);
        this.#state = outcome.state;
      }
    }
    this.#undoneCalls = new Map();
  }

  /** What is no longer needed is not said; what the journal must contain is sent with the next reply. */
  async *#give(
    parts: readonly ReplyPart[],
    turnId: number,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyPart, void, undefined> {
    let given = 0;
    try {
      for (const part of parts) {
        if (part.type === "press" || part.type === "transfer") await this.#ledger.waitForPermit(null, signal);
        if (this.#isStale(turnId, signal)) return;
        given += 1;
        yield part;
      }
    } finally {
      if (this.#before.has(turnId)) this.#owed.push(...parts.slice(given).filter(isOwed));
    }
  }

  async *#perform(
    outcome: Outcome,
    turnId: number,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyPart, Outcome | null, undefined> {
    try {
      return yield* performWait(
        {
          ...this.#options,
          ...(this.#context.pack === null ? {} : TRAINED_ON_ENGLISH),
          context: this.#context,
          ledger: this.#ledger,
          undoneCalls: this.#undoneCalls,
          remember: (item) => {
            if (!this.#isStale(turnId, signal)) this.#state = remember(this.#state, item);
          },
        },
        outcome.waitsFor,
        () => this.#state,
        signal,
      );
    } catch (error) {
      return this.#isStale(turnId, signal) ? null : this.#fail(error);
    }
  }

  #isStale(turnId: number, signal: AbortSignal): boolean {
    return signal.aborted || turnId !== this.#turnId;
  }

  #fail(error: unknown): Outcome {
    this.#options.noteFault(error, "agent_failed");
    return giveUp(this.#context, this.#state);
  }
}

/** Says what is missing of the introduction, once it is known what the reply says itself. */
function introduce({ introductionOwed, languages }: FlowState, outcome: Outcome): Outcome {
  const { parts, state, waitsFor } = outcome;
  // A change of language has introduced the agent in the new one.
  if (state.languages.current !== languages.current) return { ...outcome, state: { ...state, introductionOwed: [] } };
  const isUndecided = waitsFor.type === "opinions" || waitsFor.type === "request_opinion";
  const isLater = isUndecided && !parts.some(({ type }) => type === "say");
  if (isLater || state.languages.offer !== null) return { ...outcome, state: { ...state, introductionOwed } };
  return { ...outcome, parts: withIntroduction(introductionOwed, parts), state: { ...state, introductionOwed: [] } };
}

/** Not asked in other languages. */
const TRAINED_ON_ENGLISH = { judge: null, ranker: null } as const;

const OWED: ReadonlySet<ReplyPart["type"]> = new Set([
  "decided",
  "entered",
  "collected",
  "tool_call",
  "suppress",
  "language_noticed",
]);

function isOwed({ type }: ReplyPart): boolean {
  return OWED.has(type);
}

/** More could not be rendered before the callee answers. */
const CLAUSES_MAX = 16;

/**
 * The first clauses of what may be said next: the whole opening before the call, and afterwards what each answer to the
 * open question leads to.
 */
function likelyClauses(context: CallContext, state: FlowState): readonly string[] {
  const { at } = state;
  if (at.name === "ready") return clausesOf(openFlow(context, state)).slice(0, CLAUSES_MAX);
  if (at.name !== "asking" || at.doubt !== null) return [];
  const firsts = outcomesOf(context, state, at).flatMap((outcome) => clausesOf(outcome).slice(0, 1));
  return [...new Set(firsts)].slice(0, CLAUSES_MAX);
}

function outcomesOf(context: CallContext, state: FlowState, at: Asking): Outcome[] {
  const ask = askOf(context, at);
  const exits = ask.exits.map((_, exit) => goOnWith(context, state, at, answerFor(ask, exit)));
  const others = [ask.next, ask.otherwise].flatMap((id) => (id === undefined ? [] : [enterNode(context, state, id)]));
  const retry = askForClearAnswer(context, state, { ...at, failures: at.failures + 1 }, "unclear");
  return [...exits, ...others, retry];
}

function clausesOf({ parts }: Outcome): string[] {
  return parts.flatMap((part) => (part.type === "say" ? [speechOf(part)] : []));
}
