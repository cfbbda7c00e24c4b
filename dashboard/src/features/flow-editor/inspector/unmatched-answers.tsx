import type { AskNode } from "@parley/contract/flow-ask";
import type { UnmatchedAnswer } from "@parley/contract/node-numbers";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMode } from "../../../app/mode.tsx";
import { CONTROL } from "../../../ui/forms/field.tsx";
import { unmatchedAnswersQuery } from "../editor-queries.ts";
import { inspectorText } from "./text.tsx";

interface UnmatchedAnswersProps {
  readonly agentId: string;
  readonly ask: AskNode;
  onChange(ask: AskNode): void;
}

/** What callees said to a question and was not understood. Each can become a phrase of one of its answers. */
export function UnmatchedAnswers({ agentId, ask, onChange }: UnmatchedAnswersProps) {
  const { mode } = useMode();
  const { data } = useQuery({
    ...unmatchedAnswersQuery(mode, agentId, ask.id),
    enabled: takesPhrases(ask),
    // A node of a new agent has no calls, and a key of the page may not read transcripts: nothing is shown then.
    retry: false,
  });
  const left = (data?.answers ?? []).filter(({ text }) => !isPhrase(ask, text));
  if (!takesPhrases(ask) || left.length === 0) return null;
  return (
    <section aria-label={inspectorText.unmatchedAnswers} className="border-t border-line pt-4">
      <h3 className="text-sm font-medium">{inspectorText.unmatchedAnswers}</h3>
      <p className="mt-1 text-sm text-ink-soft">{inspectorText.unmatchedAnswersLead}</p>
      <ul className="mt-3 space-y-3">
        {left.map((answer) => (
          <Answer key={answer.text} answer={answer} ask={ask} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

interface AnswerProps {
  readonly answer: UnmatchedAnswer;
  readonly ask: AskNode;
  onChange(ask: AskNode): void;
}

function Answer({ answer: { text, times, callId }, ask, onChange }: AnswerProps) {
  return (
    <li className="space-y-1.5 text-sm">
      <p>
        {inspectorText.whatWasSaid(text)}{" "}
        <span className="text-ink-soft">
          {inspectorText.whereSaid(times, (label) => (
            <Link to="/calls/$callId" params={{ callId }} className="underline underline-offset-2">
              {label}
            </Link>
          ))}
        </span>
      </p>
      <select
        aria-label={inspectorText.addAsPhrase(text)}
        className={`${CONTROL} h-9 text-sm`}
        value=""
        onChange={({ target }) => onChange(withPhrase(ask, Number(target.value), text))}
      >
        <option value="" disabled>
          {inspectorText.addAsPhraseOf}
        </option>
        {ask.exits.map(({ when }, index) => (
          <option key={when} value={index}>
            {when}
          </option>
        ))}
      </select>
    </li>
  );
}

/** Answers of other kinds are values, which phrases do not help to understand. */
function takesPhrases({ answer, exits }: AskNode): boolean {
  return (answer === "choice" || answer === "yes_no") && exits.length > 0;
}

const PHRASE_LENGTH_MAX = 200;

/** Without the full stop that a recognizer adds. */
function asPhrase(text: string): string {
  return text
    .trim()
    .replace(/[.!?]+$/, "")
    .slice(0, PHRASE_LENGTH_MAX);
}

function isPhrase(ask: AskNode, text: string): boolean {
  const phrase = asPhrase(text).toLowerCase();
  return ask.exits.some(({ phrases = [] }) => phrases.some((each) => each.toLowerCase() === phrase));
}

function withPhrase(ask: AskNode, index: number, text: string): AskNode {
  const exits = ask.exits.map((exit, at) =>
    at === index ? { ...exit, phrases: [...(exit.phrases ?? []), asPhrase(text)] } : exit,
  );
  return { ...ask, exits };
}
