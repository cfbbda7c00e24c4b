import type { AskNode } from "@parley/contract/flow-ask";
import { fillText } from "@parley/flow/placeholders";
import type { FlowWarning } from "@parley/flow/problem";
import type { AnswerJudge, AnswerOpinion, JudgedAnswer } from "../../ports/answer-judge.ts";
import { isOnly } from "../../text/values-in-speech/find-yes-no.ts";
import { valueOfExit } from "./answer.ts";
import { judgedAnswer } from "./second-opinion.ts";
import { indexOf } from "./weigh-opinions.ts";

/** A finding about a question; `path` is its place within the node. */
export type ExitWarning = Pick<FlowWarning, "code" | "path" | "message" | "parts">;

/** With less for its own exit a phrase works against the exit as soon as other words stand beside it. Lower warns of less. */
const OWN_MIN = 0.3;
/** The maximum number of phrases tried per question. */
const PHRASES_MAX = 200;

/**
 * Finds choices that a plain yes or no fits alike, and phrases that the judge does not take for their own exit, which
 * would get callees asked back for saying exactly what the flow expects. Without a judge, only the former.
 */
export async function checkExits(ask: AskNode, judge: AnswerJudge | null, signal: AbortSignal): Promise<ExitWarning[]> {
  const shared = sharedYesNo(ask);
  return judge === null ? shared : [...shared, ...(await doubtedPhrases(ask, judge, signal))];
}

async function doubtedPhrases(ask: AskNode, judge: AnswerJudge, signal: AbortSignal): Promise<ExitWarning[]> {
  const found: ExitWarning[] = [];
  const reported = new Set<number>();
  // As it is asked when nothing is known about the callee.
  const question = fillText(ask.text, {});
  for (const { exit, text, field } of ownPhrases(ask).slice(0, PHRASES_MAX)) {
    // A plain yes or no is taken for the exit it belongs to, whatever the judge thinks of it.
    const isSettled = reported.has(exit) || isOnly("yes", text) || isOnly("no", text);
    const judged = isSettled ? null : judgedAnswer(ask, question, text);
    if (judged === null) continue;
    const opinion = await judge.judge(judged, signal);
    const own = opinion.exits[indexOf(ask, { value: valueOfExit(ask, exit), exit })] ?? 0;
    if (own >= OWN_MIN) continue;
    // The first such phrase shows what is wrong with an exit.
    reported.add(exit);
    const name = nameOf(ask, exit);
    const other = soundsLike(opinion, judged);
    const instead =
      other === null ? "alone it does not sound like an answer to the question" : `it sounds more like "${other}"`;
    const message = `The node ${ask.id} may ask back when the callee says "${text.trim()}" for the exit ${name}: ${instead}. Word it as a sentence that says what ${name} means, or give it to the exit that callees mean by it.`;
    const parts = { phrase: text.trim(), exit: ask.exits[exit]?.when.trim() ?? "", other: other ?? "" };
    found.push({ code: "misunderstood_phrase", path: field, message, parts });
  }
  return found;
}

/** The exit that the judge assigns a phrase to instead of its own; null if it takes it for no answer. */
function soundsLike({ exits, none }: AnswerOpinion, judged: JudgedAnswer): string | null {
  const best = Math.max(...exits);
  return best > none ? (judged.exits[exits.indexOf(best)]?.when.trim() ?? "") : null;
}

interface OwnPhrase {
  readonly exit: number;
  readonly text: string;
  readonly field: string;
}

/** Yes and no are understood in all their forms, so the names of those exits are not tried. */
function ownPhrases(ask: AskNode): OwnPhrase[] {
  return ask.exits.flatMap(({ when, phrases = [] }, exit): OwnPhrase[] => [
    ...(ask.answer === "choice" ? [{ exit, text: when, field: `exits[${exit}].when` }] : []),
    ...phrases.map((text, at) => ({ exit, text, field: `exits[${exit}].phrases[${at}]` })),
  ]);
}

/** Two choices with phrases that both agree, or both refuse: a plain yes or no fits either. */
function sharedYesNo(ask: AskNode): ExitWarning[] {
  if (ask.answer !== "choice") return [];
  return (["yes", "no"] as const).flatMap((meaning): ExitWarning[] => {
    const [first, second] = ask.exits.flatMap((_, exit) => {
      const phrase = ownPhrases(ask).find((each) => each.exit === exit && isOnly(meaning, each.text));
      return phrase === undefined ? [] : [phrase];
    });
    if (first === undefined || second === undefined) return [];
    const [one, other] = [nameOf(ask, first.exit), nameOf(ask, second.exit)];
    const message = `The node ${ask.id} cannot tell the exits ${one} and ${other} apart: "${first.text}" and "${second.text}" both mean ${meaning}. Keep the plain ${meaning} for one of them, and say in the phrases of the other what it is about.`;
    return [{ code: "indistinct_exits", path: second.field, message }];
  });
}

function nameOf(ask: AskNode, exit: number): string {
  return `"${ask.exits[exit]?.when.trim() ?? ""}"`;
}
