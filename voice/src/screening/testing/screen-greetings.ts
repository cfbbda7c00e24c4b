import type { AnsweredBy } from "../../ports/conversation-journal.ts";
import type { RenderedGreeting } from "./render-greeting.ts";
import { screenRecording, type TimedVerdict } from "./screen-recording.ts";

/** What screening made of one greeting. */
interface ScreenedGreeting {
  readonly rendered: RenderedGreeting;
  readonly verdicts: readonly TimedVerdict[];
  /** The last verdict, with announcements by their own name. */
  readonly answeredBy: AnsweredBy | "announcement";
  /** Whether it was ever taken for a machine: what a call does about that cannot be taken back. */
  readonly wasMachine: boolean;
}

/** By speech detection and words of its own making, or by the verdicts of somebody who really listened. */
export function screenGreeting(
  rendered: RenderedGreeting,
  verdicts: readonly TimedVerdict[] = screenRecording(rendered),
): ScreenedGreeting {
  return { rendered, verdicts, answeredBy: lastParty(verdicts), wasMachine: verdicts.some(isMachine) };
}

interface ScreeningMistakes {
  readonly humans: number;
  readonly machines: number;
  /** People who were taken for a machine, even for a moment. */
  readonly falseMachines: readonly ScreenedGreeting[];
  /** Machines that were not recognized as machines at all. */
  readonly misses: readonly ScreenedGreeting[];
  /** Machines that were taken for another machine. */
  readonly confusions: readonly ScreenedGreeting[];
}

export function countMistakes(screened: readonly ScreenedGreeting[]): ScreeningMistakes {
  const isHuman = ({ rendered }: ScreenedGreeting) => rendered.greeting.answeredBy === "human";
  const humans = screened.filter(isHuman);
  const machines = screened.filter((each) => !isHuman(each));
  const misses = machines.filter(({ answeredBy }) => answeredBy === "human" || answeredBy === "unknown");
  return {
    humans: humans.length,
    machines: machines.length,
    falseMachines: humans.filter(({ wasMachine }) => wasMachine),
    misses,
    confusions: machines.filter(
      (each) => each.answeredBy !== each.rendered.greeting.answeredBy && !misses.includes(each),
    ),
  };
}

/** A table for people: the counts, then a line for each mistake. */
export function describeMistakes(title: string, mistakes: ScreeningMistakes): string {
  const { humans, machines, falseMachines, misses, confusions } = mistakes;
  const counts = [
    `${falseMachines.length} of ${humans} humans taken for a machine`,
    `${misses.length} of ${machines} machines missed`,
    `${confusions.length} taken for another machine`,
  ];
  const lines = [...falseMachines, ...misses, ...confusions].map((each) => `  ${describeMistake(each)}`);
  return [`${title}: ${counts.join(", ")}`, ...lines].join("\n");
}

function describeMistake({ rendered: { greeting, voiceId }, verdicts, answeredBy }: ScreenedGreeting): string {
  const said = greeting.parts.filter((part) => typeof part === "string").join(" ");
  const reasons = verdicts.map((verdict) => ("reason" in verdict ? verdict.reason : verdict.type)).join("; then ");
  return `${greeting.id} (${voiceId}) was taken for ${answeredBy}: "${said}" (${reasons})`;
}

function isMachine(verdict: TimedVerdict): boolean {
  if (verdict.type !== "answered_by") return true;
  return verdict.kind !== "human" && verdict.kind !== "unknown";
}

function lastParty(verdicts: readonly TimedVerdict[]): ScreenedGreeting["answeredBy"] {
  const last = verdicts.findLast((verdict) => verdict.type !== "beep");
  if (last === undefined) return "unknown";
  return last.type === "unreachable" ? "announcement" : last.kind;
}
