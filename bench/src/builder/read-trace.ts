/** One line of Chromium's trace. Times are in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  /** The time the thread itself worked, without the time in which others had the processor. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: { readonly name?: string };
}

const TASKS = new Set(["RunTask", "ThreadControllerImpl::RunTask"]);
/** Everything in which the page's own code runs. */
const SCRIPT = new Set([
  "EventDispatch",
  "FireAnimationFrame",
  "FireIdleCallback",
  "FunctionCall",
  "TimerFire",
  "RunMicrotasks",
  "EvaluateScript",
  "v8.evaluateModule",
]);

/** The main thread of the page: among those with the name, the one on which most script ran. */
export function mainThread(events: readonly TraceEvent[]): TraceEvent[] {
  const mains = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const threads = mains.map(({ pid, tid }) => events.filter((event) => event.pid === pid && event.tid === tid));
  return threads.toSorted((a, b) => scriptMs(b) - scriptMs(a))[0] ?? [];
}

const scriptMs = (events: readonly TraceEvent[]) => outermost(events).reduce((sum, event) => sum + workedMs(event), 0);

/** A busy machine makes everything take longer; the claim is about what the page itself does. */
function workedMs({ dur = 0, tdur = dur }: TraceEvent): number {
  return tdur / 1000;
}

/** How long the longest task of a thread kept it. */
export function longestTaskMs(thread: readonly TraceEvent[]): number {
  return thread.reduce((longest, event) => (TASKS.has(event.name) ? Math.max(longest, workedMs(event)) : longest), 0);
}

/** How long the page's code ran for each frame. */
export function scriptMsPerFrame(thread: readonly TraceEvent[]): number[] {
  return msPerFrame(thread, outermost(thread));
}

/** How long the thread worked for each frame: code, styles, layout and painting together. */
export function workMsPerFrame(thread: readonly TraceEvent[]): number[] {
  return msPerFrame(thread, outermostOf(TASKS, thread));
}

function msPerFrame(thread: readonly TraceEvent[], worked: readonly TraceEvent[]): number[] {
  const frames = thread.filter(({ name }) => name === "BeginMainThreadFrame" || name === "Commit").map(({ ts }) => ts);
  const ends = [...new Set(frames)].toSorted((a, b) => a - b);
  const sums = new Array<number>(ends.length).fill(0);
  for (const event of worked) {
    const frame = ends.findIndex((end) => event.ts < end);
    if (frame >= 0) sums[frame] = (sums[frame] ?? 0) + workedMs(event);
  }
  // Between two frames that nothing ran for there is nothing to measure.
  return sums.filter((ms) => ms > 0);
}

/** Script that is not part of other script. */
const outermost = (thread: readonly TraceEvent[]) => outermostOf(SCRIPT, thread);

function outermostOf(names: ReadonlySet<string>, thread: readonly TraceEvent[]): TraceEvent[] {
  const found = thread.filter(({ name, ph }) => ph === "X" && names.has(name)).toSorted((a, b) => a.ts - b.ts);
  let endsAt = 0;
  return found.filter(({ ts, dur = 0 }) => {
    if (ts < endsAt) return false;
    endsAt = ts + dur;
    return true;
  });
}
