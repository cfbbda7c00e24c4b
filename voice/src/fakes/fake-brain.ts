import type { Brain, CalleeTurn, Expectation, ReplyPart } from "../ports/brain.ts";

type FakeReply = readonly (ReplyPart | string | Promise<unknown>)[];

export interface FakeBrainOptions {
  readonly greeting?: FakeReply;
  /** What follows from a turn, by its number among the replies that stand, from 0. Texts are clauses; promises are waited for. */
  readonly reply?: (turn: CalleeTurn, index: number) => FakeReply;
  readonly expectation?: Partial<Expectation> | ((index: number) => Partial<Expectation>);
  readonly likelyClauses?: readonly string[];
  readonly farewell?: string;
}

export interface FakeBrain extends Brain {
  /** Everything the brain received, in order. */
  readonly log: readonly BrainNote[];
  /** The turns that stand, without those that were taken back. */
  readonly turns: readonly CalleeTurn[];
  /** The ids of the tools that were called. */
  readonly toolCalls: readonly string[];
}

type BrainNote =
  | { readonly type: "open"; readonly turnId: number }
  | { readonly type: "reply"; readonly turnId: number; readonly turn: CalleeTurn }
  | { readonly type: "prepare"; readonly turnId: number; readonly turn: CalleeTurn }
  | { readonly type: "commit"; readonly turnId: number }
  | { readonly type: "withdraw"; readonly turnId: number }
  | { readonly type: "heard"; readonly turnId: number; readonly text: string; readonly wasCut: boolean }
  | { readonly type: "undo"; readonly turnId: number }
  | { readonly type: "permit" }
  | { readonly type: "disregard" };

const FREE: Expectation = { kind: "free_text", answers: [], length: null, keysMax: null, settings: {} };

/**
 * A brain for tests: says what the test defines, and records its input. When it is cut off it says nothing more,
 * but results of tools that started before still arrive.
 */
export function createFakeBrain(options: FakeBrainOptions = {}): FakeBrain {
  const log: BrainNote[] = [];
  const toolCalls: string[] = [];
  let turns: readonly { readonly turnId: number; readonly turn: CalleeTurn }[] = [];
  const expectationAt = (index: number): Expectation => ({
    ...FREE,
    ...(typeof options.expectation === "function" ? options.expectation(index) : options.expectation),
  });
  const greeting = options.greeting ?? ["Hello there."];
  let hasBegun = false;
  let committed = Promise.withResolvers<void>();
  let preparedTurnId: number | null = null;
  let expectation = expectationAt(0);

  async function* say(reply: FakeReply, signal: AbortSignal): AsyncGenerator<ReplyPart> {
    for (const part of reply) {
      if (part instanceof Promise) await part;
      else if (typeof part === "string") {
        signal.throwIfAborted();
        yield { type: "say", text: part, mayBeInterrupted: true };
      } else {
        // Tools are called, but not while the reply is only prepared.
        if (part.type === "tool_call" && preparedTurnId !== null) await committed.promise;
        if (part.type === "tool_call" && !signal.aborted) toolCalls.push(part.id);
        yield part;
      }
    }
  }

  return {
    log,
    get turns() {
      return turns.map(({ turn }) => turn);
    },
    get expectation() {
      return expectation;
    },
    likelyClauses: () => (hasBegun ? (options.likelyClauses ?? []) : clausesAtFirst(greeting)),
    farewell: () => options.farewell ?? "Goodbye.",
    open(turnId, signal) {
      hasBegun = true;
      log.push({ type: "open", turnId });
      return say(greeting, signal);
    },
    reply(turnId, turn, signal) {
      log.push({ type: "reply", turnId, turn });
      const index = turns.length;
      turns = [...turns, { turnId, turn }];
      expectation = expectationAt(turns.length);
      return say(options.reply?.(turn, index) ?? ["All right."], signal);
    },
    toolCalls,
    prepare(turnId, turn, signal) {
      log.push({ type: "prepare", turnId, turn });
      preparedTurnId = turnId;
      committed = Promise.withResolvers<void>();
      const index = turns.length;
      turns = [...turns, { turnId, turn }];
      expectation = expectationAt(turns.length);
      return say(options.reply?.(turn, index) ?? ["All right."], signal);
    },
    commit(turnId) {
      log.push({ type: "commit", turnId });
      preparedTurnId = null;
      committed.resolve();
    },
    withdraw(turnId) {
      log.push({ type: "withdraw", turnId });
      preparedTurnId = null;
      committed.resolve();
      turns = turns.filter((each) => each.turnId !== turnId);
      expectation = expectationAt(turns.length);
    },
    noteHeard(turnId, { text, wasCut }) {
      log.push({ type: "heard", turnId, text, wasCut });
    },
    permitEffects() {
      log.push({ type: "permit" });
    },
    disregardCallee() {
      log.push({ type: "disregard" });
      turns = [];
      expectation = expectationAt(0);
      return {};
    },
    undo(turnId) {
      log.push({ type: "undo", turnId });
      turns = turns.filter((each) => each.turnId !== turnId);
      expectation = expectationAt(turns.length);
    },
  };
}

/** What is said before anything has to be awaited. */
function clausesAtFirst(reply: FakeReply): string[] {
  const end = reply.findIndex((part) => part instanceof Promise);
  return reply.slice(0, end < 0 ? undefined : end).flatMap((part) => (typeof part === "string" ? [part] : []));
}
