import { type AnswerNode, growAnswerTree, lettersIn } from "./answer-tree.ts";
import type { DecodedText } from "./decode-greedily.ts";
import { addLogs, logSumExp } from "./log-softmax.ts";
import type { DecoderStep, EncodedSpeech, MoonshineModel } from "./moonshine-model.ts";
import { TOKEN_END, VOCABULARY } from "./moonshine-weights.ts";

export interface WeighedAnswer {
  readonly answer: string;
  /** The logarithm of how likely it is, in any written form, compared with what the model wrote by itself. */
  readonly logRatio: number;
  readonly letters: number;
}

/** A way into the tree that may be worth following, from one row of a step of the decoder. */
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
/** What is less likely than the best answer by this much is neither the answer nor a doubt about it. */
const BEHIND_BEST_MAX = 6;

/**
 * How well each of the expected answers fits the speech, best first, by walking the decoder through the tree of their
 * written forms and leaving behind what has no chance any more. The probabilities of the forms of one answer add up.
 * Answers that had no chance are left out. Null when it became unwanted meanwhile.
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

/** Goes as far as the tree agrees with what was written, at no cost. Gives what branches off, by its depth. */
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
export function lengthOf(letters: number): number {
  return letters / 3 + 1;
}
