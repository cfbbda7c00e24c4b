import type { AnsweredBy } from "../../ports/conversation-journal.ts";
import type { SpeechSynthesizer } from "../../ports/speech-synthesizer.ts";
import type { Greeting } from "./greetings/greeting.ts";
import { type RenderedGreeting, renderGreeting } from "./render-greeting.ts";
import { screenRecording, type TimedVerdict } from "./screen-recording.ts";

/** What screening made of one greeting. */
export interface ScreenedGreeting {
  readonly greeting: Greeting;
  readonly voiceId: string;
  readonly verdicts: readonly TimedVerdict[];
  /** The last verdict, with announcements by their own name. */
  readonly answeredBy: AnsweredBy | "announcement";
  /** Whether it was ever taken for a machine: what a call does about that cannot be taken back. */
  readonly wasMachine: boolean;
}

export interface GreetingsRun {
  readonly synthesizer: SpeechSynthesizer;
  readonly greetings: readonly Greeting[];
  readonly voiceIds: readonly string[];
  /** What becomes of the sound and the words on their way: noise, recognition with its mistakes. */
  readonly distort?: (rendered: RenderedGreeting) => RenderedGreeting | Promise<RenderedGreeting>;
}

/** Speaks greetings with each voice and screens them. */
export async function screenGreetings(run: GreetingsRun): Promise<readonly ScreenedGreeting[]> {
  const screened: ScreenedGreeting[] = [];
  for (const voiceId of run.voiceIds) {
    for (const greeting of run.greetings) {
      const rendered = await renderGreeting(run.synthesizer, greeting, voiceId);
      const verdicts = screenRecording((await run.distort?.(rendered)) ?? rendered);
      screened.push({
        greeting,
        voiceId,
        verdicts,
        answeredBy: lastParty(verdicts),
        wasMachine: verdicts.some(isMachine),
      });
    }
  }
  return screened;
}

export interface ScreeningFigures {
  readonly humans: number;
  readonly machines: number;
  /** People who were taken for a machine, even for a moment. */
  readonly falseMachines: readonly ScreenedGreeting[];
  /** Machines that were not recognized as machines at all. */
  readonly misses: readonly ScreenedGreeting[];
  /** Machines that were taken for another machine. */
  readonly confusions: readonly ScreenedGreeting[];
}

export function countMistakes(screened: readonly ScreenedGreeting[]): ScreeningFigures {
  const humans = screened.filter(({ greeting }) => greeting.answeredBy === "human");
  const machines = screened.filter(({ greeting }) => greeting.answeredBy !== "human");
  const misses = machines.filter(({ answeredBy }) => answeredBy === "human" || answeredBy === "unknown");
  return {
    humans: humans.length,
    machines: machines.length,
    falseMachines: humans.filter(({ wasMachine }) => wasMachine),
    misses,
    confusions: machines.filter((each) => each.answeredBy !== each.greeting.answeredBy && !misses.includes(each)),
  };
}

/** One line for a report. */
export function describeMistake({ greeting, voiceId, verdicts, answeredBy }: ScreenedGreeting): string {
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
