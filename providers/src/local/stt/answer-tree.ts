import { tokensOfText } from "./tokens-of-text.ts";
import { writtenForms } from "./written-forms.ts";

/** Everything that may be written, as a tree of tokens: what begins alike is worked out once. */
export interface AnswerNode {
  readonly token: number;
  readonly next: ReadonlyMap<number, AnswerNode>;
  /** Answers of which one form ends here. */
  readonly ending: readonly string[];
  /** The longest answer that goes on from here, in letters. */
  readonly lettersMax: number;
}

interface GrowingNode extends AnswerNode {
  readonly next: Map<number, GrowingNode>;
  readonly ending: string[];
  lettersMax: number;
}

/** Questions are asked again and again, with the same answers. */
const REMEMBERED_MAX = 4_000;
const remembered = new Map<string, readonly (readonly number[])[]>();

export function growAnswerTree(answers: readonly string[]): AnswerNode {
  const root = newNode(0);
  for (const answer of new Set(answers)) {
    const letters = lettersIn(answer);
    for (const tokens of formsInTokens(answer)) {
      let node = root;
      for (const token of tokens) {
        const known = node.next.get(token) ?? newNode(token);
        node.next.set(token, known);
        known.lettersMax = Math.max(known.lettersMax, letters);
        node = known;
      }
      if (!node.ending.includes(answer)) node.ending.push(answer);
    }
  }
  return root;
}

export function lettersIn(answer: string): number {
  return answer.replace(/[^\p{L}\p{N}]/gu, "").length;
}

function newNode(token: number): GrowingNode {
  return { token, next: new Map(), ending: [], lettersMax: 0 };
}

function formsInTokens(answer: string): readonly (readonly number[])[] {
  const known = remembered.get(answer);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const forms = writtenForms(answer).map(tokensOfText);
  remembered.set(answer, forms);
  return forms;
}
