import type { Call } from "@parley/contract/calls";
import type { TranscriptItem } from "@parley/contract/transcripts";

/** A call that has ended, and its transcript. */
export interface Course {
  readonly call: Pick<Call, "endReason" | "analysis" | "incidents">;
  readonly items: readonly TranscriptItem[];
}

type Deviation = `ended: ${string}` | `outcome: ${string}` | "never understood" | "asked again";

interface ComparedCall {
  /** The agent did not hear, heard too late, or did not understand what it understands on a quiet machine. */
  readonly isDeaf: boolean;
  /** In what it differs from all quiet calls. */
  readonly deviations: readonly Deviation[];
}

/** In these the agent did not hear, or did not understand because it heard too late. */
const HEARING = new Set(["hearing_failed", "recognition_failed"]);

/**
 * Compares calls under load with calls of the same callee and agent that had the machine to themselves: how they ended, with
 * which outcome, whether anything the callee said was understood, and how often the agent had to ask again.
 */
export function compareWithQuiet(quiet: readonly Course[], loaded: readonly Course[]): readonly ComparedCall[] {
  const endReasons = new Set(quiet.map(({ call }) => call.endReason));
  const outcomes = new Set(quiet.map(outcomeOf));
  const asked = Math.max(...quiet.map(timesAskedAgain));
  return loaded.map((course) => {
    const { endReason, incidents } = course.call;
    const deviations: Deviation[] = [];
    if (!endReasons.has(endReason)) deviations.push(`ended: ${endReason}`);
    if (!outcomes.has(outcomeOf(course))) deviations.push(`outcome: ${outcomeOf(course)}`);
    if (!hasUnderstood(course)) deviations.push("never understood");
    if (timesAskedAgain(course) > asked) deviations.push("asked again");
    const hasFailed = endReason === "silence" || incidents.some(({ what }) => HEARING.has(what));
    return { isDeaf: hasFailed || deviations.length > 0, deviations };
  });
}

/** How often each deviation occurred, the most frequent first. */
export function describeDeviations(compared: readonly ComparedCall[]): string {
  const counts = new Map<string, number>();
  for (const { deviations } of compared) for (const each of deviations) counts.set(each, (counts.get(each) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([deviation, count]) => `${deviation} (${count})`).join(", ") || "nothing";
}

function outcomeOf({ call }: Course): string {
  return call.analysis?.outcome ?? "none";
}

function hasUnderstood({ items }: Course): boolean {
  return items.some((item) => item.type === "decision" && item.taken === "answer");
}

/** After what was not understood, and after silence: only a reply to something that was said is timed. */
function timesAskedAgain({ items }: Course): number {
  return items.filter(
    (item) =>
      (item.type === "decision" && item.taken === "not_understood") ||
      (item.type === "speech" && item.role === "agent" && item.timing === null),
  ).length;
}
