import { type Clause, parseUtterance } from "./parse-utterance.ts";

/** Fewer words than these are rather what recognition made of an answer. */
const WORDS_MIN = 3;

/** "When I get my wages" and "what I told you" are parts of statements, whatever they begin with. */
const NOT_ASKED = /^(?:when|where|what|how|who|why|which|whatever|whenever) (?:i|we|he|she|they|you|my|our|the|it)\b/;

/** Whether the callee wants to know something, and says nothing else: "Is there parking?" */
export function asksAgent(text: string): boolean {
  const { clauses } = parseUtterance(text);
  const said = clauses.filter(({ tokens }) => tokens.length > 0);
  const isQuestion = ({ signals, tokens }: Clause) =>
    tokens.length >= WORDS_MIN &&
    signals.some(({ kind, words }) => kind === "question" && words !== "?") &&
    !NOT_ASKED.test(tokens.map(({ text: word }) => word).join(" "));
  return said.some(isQuestion) && said.every((clause) => isQuestion(clause) || clause.tokens.length < WORDS_MIN);
}
