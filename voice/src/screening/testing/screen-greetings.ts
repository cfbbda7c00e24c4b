import type { AnsweredBy } from "../../ports/conversation-journal.ts";
import type { RenderedGreeting } from "./render-greeting.ts";
import { screenRecording, type TimedDecision } from "./screen-recording.ts";

/** The result of screening one greeting. */
interface ScreenedGreeting {
  readonly rendered: RenderedGreeting;
  readonly decisions: readonly TimedDecision[];
  /** The last decision, with announcements by their own name. */
  readonly answeredBy: AnsweredBy | "announcement";
  /** Whether it was ever considered a machine: what a call does about that cannot be undone. */
  readonly wasMachine: boolean;
}

/** Based on simulated speech detection and words, or on given decisions. */
export function screenGreeting(
  rendered: RenderedGreeting,
  decisions: readonly TimedDecision[] = screenRecording(rendered),
): ScreenedGreeting {
  return { rendered, decisions, answeredBy: lastParty(decisions), wasMachine: decisions.some(isMachine) };
}

interface ScreeningMistakes {
  readonly humans: number;
  readonly machines: number;
  /** People who were mistaken for a machine, even for a moment. */
  readonly falseMachines: readonly ScreenedGreeting[];
  /** Machines that were not recognized as machines at all. */
  readonly misses: readonly ScreenedGreeting[];
  /** Machines that were mistaken for another machine. */
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

/** A human-readable table: the counts, then a line for each mistake. */
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

function describeMistake({ rendered: { greeting, voiceId }, decisions, answeredBy }: ScreenedGreeting): string {
  const said = greeting.parts.filter((part) => typeof part === "string").join(" ");
  const reasons = decisions.map((decision) => ("reason" in decision ? decision.reason : decision.type)).join("; then ");
  return `${greeting.id} (${voiceId}) was taken for ${answeredBy}: "${said}" (${reasons})`;
}

function isMachine(decision: TimedDecision): boolean {
  if (decision.type !== "answered_by") return true;
  return decision.kind !== "human" && decision.kind !== "unknown";
}

function lastParty(decisions: readonly TimedDecision[]): ScreenedGreeting["answeredBy"] {
  const last = decisions.findLast((decision) => decision.type !== "beep");
  if (last === undefined) return "unknown";
  return last.type === "unreachable" ? "announcement" : last.kind;
}
