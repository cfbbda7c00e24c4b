import type { ExpectedAnswerScore } from "@parley/voice/ports/speech-recognizer";
import { LRUCache } from "lru-cache";
import { addLogs, type DecodedText, logSumExp, tokensOfText } from "./decode.ts";
import type { DecoderStep, EncodedSpeech, MoonshineModel } from "./moonshine-model.ts";
import { TOKEN_END, VOCABULARY } from "./moonshine-weights.ts";
import { writtenForms } from "./written-forms.ts";

export interface WeighedAnswer {
  readonly answer: string;
  /** The logarithm of its likelihood, in any written form, relative to the model's own text. */
  readonly logRatio: number;
  readonly letters: number;
}

/** A branch of the tree that may be worth following, from one row of a decoder step. */
interface Path {
  readonly node: AnswerNode;
  readonly logProbability: number;
  readonly from: DecoderStep;
  readonly row: number;
}

/** One step of the decoder costs the same for one text as for half a dozen, and then more for each. */
const PATHS_MAX = 12;
/** Answers that are less likely than this, for each three letters of them, would not be believed anyway. */
const RATIO_MIN_PER_LENGTH = -3.5;
const RATIO_MIN = -16;
/** An answer this much less likely than the best is neither the answer nor a doubt about it. */
const BEHIND_BEST_MAX = 6;

/**
 * How well each of the expected answers fits the speech, best first, by walking the decoder through the tree of their
 * written forms and pruning what has no chance any more. The probabilities of the forms of one answer add up. Answers
 * that had no chance are left out. Null when it became unwanted meanwhile.
 */
export async function weighAnswers(
  model: MoonshineModel,
  speech: EncodedSpeech,
  decoded: DecodedText,
  answers: readonly string[],
  isUnwanted: () => Promise<boolean>,
): Promise<readonly WeighedAnswer[] | null> {
  const found = new Map<string, number>();
  const aside = followWritten(growAnswerTree(answers), decoded, found);
  let paths: Path[] = [];
  for (let depth = 0; paths.length > 0 || depth < aside.length; depth++) {
    paths = mostLikely([...paths, ...(aside[depth] ?? [])], decoded.logProbability, found);
    if (paths.length === 0) continue;
    if (await isUnwanted()) return null;
    const step = await model.branch(
      speech,
      paths.map(({ from, row, node }) => ({ memory: from.memory, row, token: node.token })),
    );
    paths = paths.flatMap(({ node, logProbability }, row) => follow(node, logProbability, step, row, found));
  }
  const weighed = Array.from(found, ([answer, logProbability]) => ({
    answer,
    logRatio: logProbability - decoded.logProbability,
    letters: lettersIn(answer),
  }));
  return weighed.sort((one, other) => other.logRatio - one.logRatio);
}

/** Follows the tree as far as it agrees with the model's text, at no cost. Returns what branches off, by depth. */
function followWritten(root: AnswerNode, decoded: DecodedText, found: Map<string, number>): readonly Path[][] {
  const aside: Path[][] = [];
  let node: AnswerNode | undefined = root;
  let logProbability = 0;
  for (const [depth, step] of decoded.steps.entries()) {
    const children: readonly Path[] = follow(node, logProbability, step, 0, found);
    const written = children.find((path) => path.node.token === decoded.tokens[depth]);
    aside.push(children.filter((path) => path !== written));
    if (written === undefined) break;
    node = written.node;
    logProbability = written.logProbability;
  }
  return aside;
}

/** Where a node leads to; the answers that end with it are counted. */
function follow(
  node: AnswerNode,
  logProbability: number,
  step: DecoderStep,
  row: number,
  found: Map<string, number>,
): Path[] {
  const start = row * VOCABULARY;
  const base = logProbability - logSumExp(step.logits, start, VOCABULARY);
  const after = (token: number) => base + (step.logits[start + token] as number);
  for (const answer of node.ending) {
    found.set(answer, addLogs(found.get(answer) ?? Number.NEGATIVE_INFINITY, after(TOKEN_END)));
  }
  return Array.from(node.next.values(), (child) => ({
    node: child,
    logProbability: after(child.token),
    from: step,
    row,
  }));
}

function mostLikely(paths: readonly Path[], written: number, found: ReadonlyMap<string, number>): Path[] {
  const best = Math.max(...found.values(), Number.NEGATIVE_INFINITY);
  const hasChance = ({ node, logProbability }: Path) => {
    const ratioMin = Math.max(RATIO_MIN, RATIO_MIN_PER_LENGTH * lengthOf(node.lettersMax));
    return logProbability - written >= ratioMin && logProbability >= best - BEHIND_BEST_MAX;
  };
  return paths
    .filter(hasChance)
    .sort((one, other) => other.logProbability - one.logProbability)
    .slice(0, PATHS_MAX);
}

/** A longer answer has more places to differ in: threes of letters and its end. */
function lengthOf(letters: number): number {
  return letters / 3 + 1;
}

/** All possible texts as a tree of tokens: common beginnings are computed once. */
export interface AnswerNode {
  readonly token: number;
  readonly next: ReadonlyMap<number, AnswerNode>;
  /** Answers of which one form ends here. */
  readonly ending: readonly string[];
  /** The longest answer that continues from here, in letters. */
  readonly lettersMax: number;
}

interface GrowingNode extends AnswerNode {
  readonly next: Map<number, GrowingNode>;
  readonly ending: string[];
  lettersMax: number;
}

/** Questions are asked repeatedly, with the same answers. */
const tokenizedForms = new LRUCache<string, readonly (readonly number[])[]>({ max: 4_000 });

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
  const known = tokenizedForms.get(answer);
  if (known !== undefined) return known;
  const forms = writtenForms(answer).map(tokensOfText);
  tokenizedForms.set(answer, forms);
  return forms;
}

/**
 * A logistic curve over how much less likely the answer is than what the model wrote, for its length. At the midpoint,
 * one of twelve utterances that are none of the answers is accepted as one: `npm run bench -- speech` prints the
 * trade-off of other values.
 */
const STEEPNESS = 1.9;
const EVEN_AT = -2.15;

/**
 * The best answer with a score from 0 to 1 that means the same for short answers and long ones. It is ahead of the second
 * by as much of its score as the second is less likely.
 */
export function rateAnswers(weighed: readonly WeighedAnswer[]): ExpectedAnswerScore | null {
  const [first, second] = weighed;
  if (first === undefined) return null;
  const score = scoreOf(first);
  const odds = second === undefined ? 0 : Math.exp(second.logRatio - first.logRatio);
  return { answer: first.answer, score, margin: score * (1 - odds) };
}

function scoreOf({ logRatio, letters }: WeighedAnswer): number {
  return 1 / (1 + Math.exp(-STEEPNESS * (logRatio / lengthOf(letters) - EVEN_AT)));
}
