/** What was, what is and what was taken back. */
export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** What the last change was part of: typing one word is one step back, not one for each letter. */
  readonly run: { readonly name: string; readonly atMs: number } | null;
}

const STEPS_MAX = 200;
/** Whoever pauses for longer has had a thought between. */
const PAUSE_MS = 1500;

export function startHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], run: null };
}

/** A change. Changes of one run that follow each other closely are one step; `run` null is a step of its own. */
export function change<State>(
  history: History<State>,
  present: State,
  run: string | null,
  nowMs: number,
): History<State> {
  if (Object.is(present, history.present)) return history;
  const isSameRun = run !== null && history.run?.name === run && nowMs - history.run.atMs < PAUSE_MS;
  const past = isSameRun ? history.past : [...history.past, history.present].slice(-STEPS_MAX);
  return { past, present, future: [], run: run === null ? null : { name: run, atMs: nowMs } };
}

export function undo<State>(history: History<State>): History<State> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    run: null,
  };
}

export function redo<State>(history: History<State>): History<State> {
  const [after, ...future] = history.future;
  if (after === undefined) return history;
  return { past: [...history.past, history.present], present: after, future, run: null };
}
