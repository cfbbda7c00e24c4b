import { formatCount } from "../../languages/language.ts";
import { formatDelay, formatDollars, formatMinutes, formatPercent } from "../../ui/figures.ts";
import { formatClock } from "../../ui/format.ts";
import { usageText } from "./text.ts";
import { type Change, completedOf, toCards, type UsageCard } from "./usage-figures.ts";
import type { UsageNumbers } from "./usage-queries.ts";
import { CARD_LABELS, changeInWords } from "./usage-words.ts";

const FORMATS: Readonly<Record<UsageCard["id"], (value: number) => string>> = {
  calls: formatCount,
  answered: formatPercent,
  completed: formatPercent,
  minutes: formatMinutes,
  cost: formatDollars,
  response: formatDelay,
  interrupted: formatPercent,
};

/** Whether more is better; without it a change is neither. */
const IS_MORE_BETTER: Partial<Readonly<Record<UsageCard["id"], boolean>>> = {
  answered: true,
  completed: true,
  response: false,
  interrupted: false,
};

interface UsageCardsProps {
  readonly numbers: Pick<UsageNumbers, "breakdown" | "before">;
  /** What the figures are compared with. */
  readonly comparison: string;
}

/** The figures of the period, what they consist of, and how they changed. */
export function UsageCards({ numbers, comparison }: UsageCardsProps) {
  return (
    <section aria-label={usageText.figures}>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {toCards(numbers).map(({ id, value, change }) => (
          <div
            key={id}
            // The calls are what the other figures are about, and make seven cards fill their rows.
            className={`min-w-0 rounded-2xl border border-line bg-surface px-4 py-3.5 sm:px-5 ${id === "calls" ? "col-span-2" : ""}`}
          >
            <dt className="text-sm text-ink-soft">{CARD_LABELS[id]}</dt>
            <dd>
              <p className="mt-0.5 text-2xl font-semibold tracking-tight tabular-nums">
                {value === null ? "–" : FORMATS[id](value)}
              </p>
              <p className="text-sm text-ink-soft tabular-nums">{noteOf(id, numbers)}</p>
              <p className="mt-1.5 text-sm tabular-nums">
                {change ? (
                  <>
                    <span className={toneOf(id, change)}>{changeInWords(change)}</span>{" "}
                    <span className="text-ink-soft">{comparison}</span>
                  </>
                ) : (
                  <span className="text-ink-soft">{usageText.nothingToCompareWith}</span>
                )}
              </p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What a figure consists of. */
function noteOf(id: UsageCard["id"], { breakdown: { total, mode } }: UsageCardsProps["numbers"]): string {
  const { calls, answered, incidents, talkSeconds, spend, turns, interruptions, responseMsP95 } = total;
  const ofCalls = (count: number) => usageText.ofCalls(count, calls);
  switch (id) {
    case "calls":
      return usageText.problemCount(incidents);
    case "answered":
      return ofCalls(answered);
    case "completed":
      return ofCalls(completedOf(total));
    case "minutes":
      return answered > 0 ? usageText.perAnsweredCall(formatClock(talkSeconds / answered)) : usageText.noAnsweredCalls;
    case "cost":
      if (mode === "test") return usageText.testCallsAreFree;
      return calls > 0 ? usageText.perCall(formatDollars(Number(spend) / calls)) : usageText.noCalls;
    case "response":
      if (responseMsP95 !== null) return usageText.medianAndMost(formatPercent(0.95), formatDelay(responseMsP95));
      return turns > 0 ? usageText.notMeasured : usageText.noReplies;
    case "interrupted":
      return turns > 0 ? usageText.ofReplies(interruptions, turns) : usageText.noReplies;
  }
}

function toneOf(id: UsageCard["id"], { amount }: Change): string {
  const isMoreBetter = IS_MORE_BETTER[id];
  if (isMoreBetter === undefined || Math.abs(amount) < 0.0005) return "font-medium";
  return amount > 0 === isMoreBetter ? "font-medium text-success-text" : "font-medium text-danger-text";
}
