import type { AskNode } from "@parley/contract/flow-ask";
import { CALLEE_REQUESTS, type CalleeRequest, type RequestOpinion } from "@parley/voice/ports/answer-judge";
import { type InferenceSession, Tensor } from "onnxruntime-node";

/** One text as the judge reads it. */
export interface EncodedText {
  readonly tokens: Float32Array;
  /** Its meaning as a whole, a vector of length 1. */
  readonly sentence: Float32Array;
}

/** As numbered in training; tools/train-judge has the same order. */
const ANSWER_KINDS: readonly AskNode["answer"][] = [
  "yes_no",
  "choice",
  "number",
  "date",
  "time",
  "name",
  "free_text",
  "phone",
  "digits",
  "email",
];

export interface EncodedUtterance {
  readonly said: EncodedText;
  /** Null if the question has no words. */
  readonly question: EncodedText | null;
  readonly answerKind: AskNode["answer"];
}

/**
 * The network that tells requests from answers, by what the judge made of them. It takes any of the
 * inputs `tokens`, `sentence`, `question_tokens`, `question_sentence` and `answer_kind`, and returns `probabilities`:
 * one for each request in the order of `CALLEE_REQUESTS`, and the last for none.
 */
export class RequestNetwork {
  readonly #session: InferenceSession;

  /** Throws if the network has inputs or outputs that are unknown here. */
  constructor(session: InferenceSession) {
    const unknown = session.inputNames.filter((name) => !(name in INPUTS));
    if (unknown.length > 0) throw new Error(`the network for requests has unknown inputs: ${unknown.join(", ")}`);
    if (!session.outputNames.includes("probabilities"))
      throw new Error("the network for requests has no probabilities");
    this.#session = session;
  }

  async judge(utterance: EncodedUtterance): Promise<RequestOpinion> {
    const inputs = this.#session.inputNames.map((name) => [name, INPUTS[name]?.(utterance)] as const);
    const { probabilities } = await this.#session.run(Object.fromEntries(inputs) as Record<string, Tensor>);
    const all = probabilities?.data as Float32Array;
    if (all.length !== CALLEE_REQUESTS.length + 1) {
      throw new Error(
        `the network for requests returns ${all.length} probabilities, not ${CALLEE_REQUESTS.length + 1}`,
      );
    }
    const requests = Object.fromEntries(CALLEE_REQUESTS.map((name, index) => [name, all[index] ?? 0]));
    return { requests: requests as Record<CalleeRequest, number>, none: all[CALLEE_REQUESTS.length] ?? 0 };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

const INPUTS: Readonly<Record<string, (utterance: EncodedUtterance) => Tensor>> = {
  tokens: ({ said }) => tokensOf(said),
  sentence: ({ said }) => new Tensor("float32", said.sentence, [1, said.sentence.length]),
  question_tokens: ({ question }) => tokensOf(question),
  question_sentence: ({ question, said }) => {
    const vector = question?.sentence ?? new Float32Array(said.sentence.length);
    return new Tensor("float32", vector, [1, vector.length]);
  },
  answer_kind: ({ answerKind }) => new Tensor("int64", BigInt64Array.of(BigInt(ANSWER_KINDS.indexOf(answerKind))), [1]),
};

/** What the judge gives for one token. */
const TOKEN_WIDTH = 768;

/** A question without words is one token of zeros. */
function tokensOf(text: EncodedText | null): Tensor {
  const tokens = text?.tokens ?? new Float32Array(TOKEN_WIDTH);
  return new Tensor("float32", tokens, [1, tokens.length / TOKEN_WIDTH, TOKEN_WIDTH]);
}
