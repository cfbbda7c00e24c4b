import fc from "fast-check";
import { expect, test } from "vitest";
import { beginConversation } from "./open-call.ts";
import { expecting } from "./testing/turn-player.ts";
import type { TurnEffect } from "./turn-effects.ts";
import type { TimerName, TurnEvent, UntimedTurnEvent } from "./turn-events.ts";
import { stepTurn } from "./turn-machine.ts";
import { USUAL_TURN_SETTINGS } from "./turn-settings.ts";
import { replyOf, type TurnState } from "./turn-state.ts";

/**
 * Events in any order. Numbers of replies and questions are given as distances from the newest, so that most refer to
 * what is in progress and some to what is long over; any timer that is set may fire.
 */
type Happening =
  | { kind: "news"; news: UntimedTurnEvent }
  | {
      kind: "reply";
      type: "clause" | "progressed" | "ready" | "closes" | "press" | "transfer" | "failed";
      back: number;
    }
  | { kind: "playout"; type: "started" | "clause" | "finished"; back: number; mayBeInterrupted: boolean }
  | { kind: "speech"; windows: number; probability: number; levelDbfs: number; tonality: number }
  | { kind: "recognized"; back: number; text: string }
  | { kind: "unrecognized"; back: number; isRetryable: boolean }
  | { kind: "timer"; index: number; isStale: boolean };

const TEXTS = ["", "yes", "mhm", "stop", "one moment please", "I would like to move it to", "Thursday", "hello there"];
const EXPECTATIONS = [
  expecting({}),
  expecting({ kind: "yes_no", answers: ["yes", "no"] }),
  expecting({ kind: "digits", length: 4, keysMax: 4 }),
];

const back = fc.constantFrom(0, 0, 0, 0, 1, 2);
const news: fc.Arbitrary<UntimedTurnEvent> = fc.oneof(
  fc.constant<UntimedTurnEvent>({ type: "line.answered" }),
  fc.constantFrom("1", "#", "9").map<UntimedTurnEvent>((key) => ({ type: "line.key_pressed", key })),
  fc.constantFrom<UntimedTurnEvent>(
    { type: "line.audio_missing" },
    { type: "line.audio_returned" },
    { type: "line.not_heard", wasHeard: true, forMs: 15_000 },
    { type: "line.not_heard", wasHeard: false, forMs: 10_000 },
    { type: "line.heard_again" },
  ),
  fc.constantFrom<UntimedTurnEvent>({ type: "hearing.lost", sinceMs: 0 }, { type: "hearing.returned" }),
  fc.boolean().map<UntimedTurnEvent>((hasFailed) => ({ type: "brain.model_asked", hasFailed })),
  fc
    .constantFrom("trying", "ringing", "completed", "failed")
    .map<UntimedTurnEvent>((state) => ({ type: "line.transfer_progressed", state, reason: "busy" })),
  fc.constantFrom(...EXPECTATIONS).map<UntimedTurnEvent>((expectation) => ({ type: "brain.expects", expectation })),
  fc.constantFrom("human", "voicemail", "ivr", "screening", "unknown").map<UntimedTurnEvent>((kind) => ({
    type: "screening.decided",
    decision: { type: "answered_by", kind, reason: "heard so" },
  })),
  fc.constant<UntimedTurnEvent>({ type: "screening.decided", decision: { type: "beep", atMs: 0 } }),
);
const rareNews: fc.Arbitrary<UntimedTurnEvent> = fc.constantFrom<UntimedTurnEvent>(
  { type: "line.ended" },
  { type: "service.ends", farewell: "Goodbye." },
  { type: "service.ends", farewell: null },
  { type: "engine.failed", reason: "full" },
  { type: "screening.decided", decision: { type: "answered_by", kind: "fax", reason: "heard so" } },
);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: news.map((each): Happening => ({ kind: "news", news: each })) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("reply" as const),
      type: fc.constantFrom("clause", "progressed", "ready", "press", "transfer", "failed", "closes"),
      back,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("playout" as const),
      type: fc.constantFrom("started", "clause", "finished"),
      back,
      mayBeInterrupted: fc.boolean(),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("speech" as const),
      windows: fc.integer({ min: 1, max: 40 }),
      probability: fc.constantFrom(0, 0, 0.9, 0.9, 0.4),
      levelDbfs: fc.constantFrom(-70, -20),
      tonality: fc.constantFrom(0, 0.9),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("recognized" as const), back, text: fc.constantFrom(...TEXTS) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("unrecognized" as const), back, isRetryable: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("timer" as const),
      index: fc.nat(20),
      isStale: fc.constantFrom(false, false, true),
    }),
  },
);
const life = fc.record({
  // Most runs begin where the two talk, and some in each phase that chance alone rarely leads to.
  talksFrom: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom("the start", "the answer", "the greeting", "the question", "the question"),
    },
    { weight: 2, arbitrary: fc.constantFrom("a voicemail", "a transfer", "the farewell") },
  ),
  greeting: fc.constantFrom("after_hello" as const, "immediate" as const),
  action: fc.constantFrom("hang_up" as const, "leave_message" as const, "continue" as const),
  happenings: fc.array(happening, { minLength: 5, maxLength: 120 }),
  end: fc.option(rareNews, { nil: null }),
});

function eventsOf(state: TurnState, each: Happening): UntimedTurnEvent[] {
  switch (each.kind) {
    case "news":
      return [each.news];
    case "reply": {
      const turnId = state.turnId - each.back;
      const { type } = each;
      if (type === "press") return [{ type: "reply.cue", turnId, cue: { type: "press", keys: "1" } }];
      if (type === "transfer") return [{ type: "reply.cue", turnId, cue: { type: "transfer", to: "x", how: "auto" } }];
      if (type === "closes") return [{ type: "reply.closes", turnId, reason: "finished" }];
      if (type === "clause") return [{ type: "reply.clause", turnId, text: "All right." }];
      if (type === "failed") return [{ type: "reply.failed", turnId, part: "voice", reason: "broken" }];
      return [{ type: type === "ready" ? "reply.ready" : "reply.progressed", turnId }];
    }
    case "playout": {
      const turnId = state.turnId - each.back;
      const { mayBeInterrupted } = each;
      if (each.type === "started") return [{ type: "playout.started", turnId, startMs: 0 }];
      if (each.type === "finished") return [{ type: "playout.finished", turnId }];
      return [{ type: "playout.clause_started", turnId, text: "Your appointment is on Tuesday.", mayBeInterrupted }];
    }
    case "speech":
      return Array.from({ length: each.windows }, () => ({
        type: "window.judged",
        endMs: 0,
        durationMs: 32,
        probability: each.probability,
        levelDbfs: each.levelDbfs,
        tonality: each.tonality,
        lineEchoes: null,
        echo: null,
      }));
    case "recognized":
      return [
        {
          type: "recognition.heard",
          askId: state.nextAskId - 1 - each.back,
          text: each.text,
          words: [],
          best: null,
          confidence: null,
        },
      ];
    case "unrecognized":
      return [
        {
          type: "recognition.failed",
          askId: state.nextAskId - 1 - each.back,
          isRetryable: each.isRetryable,
          reason: "it crashed",
        },
      ];
    case "timer": {
      const timers = Object.entries(state.timers) as [TimerName, number][];
      const [timer, dueMs] = timers[each.index % Math.max(1, timers.length)] ?? ["hold", 0];
      return [{ type: "timer.fired", timer, dueMs: each.isStale ? dueMs - 1 : dueMs }];
    }
  }
}

/** Plays a run through the machine and passes every state and effect to a check. */
function live(
  { talksFrom, greeting, action, happenings, end }: typeof life extends fc.Arbitrary<infer Value> ? Value : never,
  check: (state: TurnState, effects: readonly TurnEffect[]) => void,
): TurnState {
  let [state, effects] = beginConversation({
    greeting,
    voicemail: { action, message: null },
    isScreened: true,
    settings: USUAL_TURN_SETTINGS,
  });
  check(state, effects);
  let atMs = 0;
  const apply = (each: UntimedTurnEvent) => {
    if (each.type === "window.judged") atMs += each.durationMs;
    else if (each.type === "timer.fired") atMs = Math.max(atMs, each.dueMs);
    const shifted = each.type === "window.judged" ? { ...each, endMs: atMs } : each;
    const event: TurnEvent = { ...shifted, atMs };
    [state, effects] = stepTurn(state, event);
    check(state, effects);
  };
  for (const each of PRELUDES[talksFrom] ?? []) apply(each);
  for (const each of happenings) for (const one of eventsOf(state, each)) apply(one);
  if (end !== null) apply(end);
  return state;
}

const ANSWER: readonly UntimedTurnEvent[] = [{ type: "line.answered" }];
const GREETING: readonly UntimedTurnEvent[] = [
  ...ANSWER,
  { type: "reply.ready", turnId: 1 },
  { type: "timer.fired", timer: "hello", dueMs: 1_200 },
  { type: "playout.started", turnId: 1, startMs: 1_200 },
];
const PRELUDES: Readonly<Record<string, readonly UntimedTurnEvent[]>> = {
  "the answer": ANSWER,
  "a voicemail": [
    ...ANSWER,
    { type: "screening.decided", decision: { type: "answered_by", kind: "voicemail", reason: "heard so" } },
  ],
  "the greeting": GREETING,
  "the question": [...GREETING, { type: "playout.finished", turnId: 1 }],
  "a transfer": [
    ...GREETING,
    { type: "reply.cue", turnId: 1, cue: { type: "transfer", to: "x", how: "auto" } },
    { type: "playout.finished", turnId: 1 },
  ],
  "the farewell": [
    ...GREETING,
    { type: "reply.closes", turnId: 1, reason: "finished" },
    { type: "playout.finished", turnId: 1 },
  ],
};

/** Asserts without the cost of creating a report for every successful step. */
function mustHold(isSo: boolean, what: string): void {
  if (!isSo) expect.fail(what);
}

/** Other events in each run; `npm run test:all` tries four times as many. */
const RUNS = { numRuns: process.env["PARLEY_TESTS_THOROUGH"] === "1" ? 2_000 : 500 } as const;

/** What is guaranteed to happen next in each phase, if nothing else does. */
const AWAITED: Readonly<Partial<Record<TurnState["at"]["phase"], TimerName>>> = {
  opening: "greeting",
  thinking: "watchdog",
  speaking: "watchdog",
  awaiting_beep: "beep",
  transferring: "transfer",
  closing: "hangup",
};

test("whatever happens in whatever order, something is guaranteed to happen next until the call is over", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(life, (each) => {
      live(each, ({ at, timers, utterance, music }) => {
        const set = (...names: TimerName[]) => names.some((name) => timers[name] !== undefined);
        if (at.phase === "ringing" || at.phase === "ended") return;
        seen.add(at.phase);
        const awaited = AWAITED[at.phase];
        // A greeting that is ready waits for the callee's first words, whose time is limited as well.
        const alsoAwaited = at.phase === "opening" && at.isReady ? ["hello" as const] : [];
        if (awaited !== undefined) mustHold(set(awaited, ...alsoAwaited), `${at.phase} without ${awaited}`);
        if (at.phase !== "listening") return;
        if (utterance === null) mustHold(music.isOn ? set("music") : set("silence_limit"), "silent without a limit");
        else if (utterance.isSpeaking) mustHold(set("utterance"), "speaking without a limit");
        else mustHold(set("hold", "recognition"), "paused without a limit");
      });
    }),
    RUNS,
  );
  // Every phase was visited, or this says nothing about some of them.
  expect([...seen].sort()).toEqual(["listening", ...Object.keys(AWAITED)].sort());
});

test("there is never a second reply while one is in progress, and each is committed exactly once", () => {
  fc.assert(
    fc.property(life, (each) => {
      let underWay: number | null = null;
      const last = live(each, (state, effects) => {
        for (const effect of effects) {
          if (effect.type === "reply.start" || effect.type === "reply.open" || effect.type === "reply.recite") {
            mustHold(underWay === null, `reply ${effect.turnId} began while ${underWay} was under way`);
            underWay = effect.turnId;
          }
          if (effect.type === "transcript.commit_heard") {
            mustHold(effect.turnId === underWay, `reply ${effect.turnId} was committed instead of ${underWay}`);
            underWay = null;
          }
        }
        mustHold((replyOf(state)?.turnId ?? null) === underWay, "the state knows of another reply");
      });
      if (last.at.phase === "ended") expect(underWay).toBeNull();
    }),
    RUNS,
  );
});

test("a cut-off is always silence, then abort, then what was heard, in one step", () => {
  let cuts = 0;
  fc.assert(
    fc.property(life, (each) => {
      live(each, (_state, effects) => {
        for (const [at, effect] of effects.entries()) {
          if (effect.type === "playout.clear") {
            const { turnId } = effect;
            expect(effects.slice(at + 1, at + 3)).toEqual([
              { type: "reply.abort", turnId },
              { type: "transcript.commit_heard", turnId, wasCut: true },
            ]);
            cuts += 1;
          }
          if (effect.type === "reply.abort") mustHold(effects[at - 1]?.type === "playout.clear", "sound goes on");
          if (effect.type === "reply.undo") {
            const before = effects.slice(0, at).findLast(({ type }) => type === "transcript.commit_heard");
            expect(before).toMatchObject({ turnId: effect.turnId, wasCut: true });
          }
        }
      });
    }),
    RUNS,
  );
  expect(cuts).toBeGreaterThan(RUNS.numRuns / 4);
});

test("after the end nothing changes, and nothing is done", () => {
  fc.assert(
    fc.property(life, fc.array(happening, { minLength: 1, maxLength: 20 }), (each, after) => {
      let ended: TurnState = live({ ...each, end: { type: "line.ended" } }, () => undefined);
      expect(ended.at.phase).toBe("ended");
      for (const one of after.flatMap((more) => eventsOf(ended, more))) {
        const [state, effects] = stepTurn(ended, { ...one, atMs: 1_000_000 });
        expect(state).toBe(ended);
        expect(effects).toEqual([]);
        ended = state;
      }
    }),
    { numRuns: 500 },
  );
});

test("events of a reply that is over, and cancelled timers, change nothing", () => {
  fc.assert(
    fc.property(life, fc.integer({ min: 1, max: 3 }), (each, distance) => {
      const state = live(each, () => undefined);
      const turnId = state.turnId - distance;
      const stale: UntimedTurnEvent[] = [
        { type: "reply.clause", turnId, text: "late" },
        { type: "reply.failed", turnId, part: "voice", reason: "late" },
        { type: "reply.closes", turnId, reason: "finished" },
        { type: "playout.started", turnId, startMs: 0 },
        { type: "playout.finished", turnId },
        { type: "timer.fired", timer: "hold", dueMs: -1 },
        { type: "timer.fired", timer: "silence_limit", dueMs: -1 },
      ];
      for (const news of stale) expect(stepTurn(state, { ...news, atMs: 1 })[0]).toBe(state);
    }),
    { numRuns: 500 },
  );
});
