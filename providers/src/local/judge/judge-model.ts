import type {
  AnswerOpinion,
  AskedQuestion,
  JudgedAnswer,
  JudgedUtterance,
  RequestOpinion,
} from "@parley/voice/ports/answer-judge";
import { openModel } from "../weights/open-model.ts";
import { readWeights, type WeightFile } from "../weights/weight-file.ts";
import { JudgeNetwork } from "./judge-network.ts";
import { layOutExits, layOutProbes, layOutQuestion, layOutSaid } from "./lay-out.ts";
import { RequestNetwork } from "./request-network.ts";
import { WordPieces } from "./word-pieces.ts";

const NETWORK = weights("judge.onnx", "a1b3c1c331f05717ff075a85cce726b0e9baab30d1a2e0f3e21419f8dd129af0");
/** The word pieces that the judge was trained on. */
const VOCABULARY = weights("vocabulary.txt", "446cabc0b64df6ead3c565b1b6e543ba914352821bc529754fadc017cc155a84");
/** Tells requests ("who is calling?") from answers, by what the judge makes of the utterance. */
const REQUESTS = weights("requests.onnx", "adbd31deb8263ab77696b8c05ea9843a6d2169dfdb9260679ef397c548deff4b");

function weights(name: string, sha256: string): WeightFile {
  return { packageName: "@parley/providers", path: `src/local/judge/weights/${name}`, sha256 };
}

/** The network's capacity. */
const EXITS_MAX = 8;

/** The judge of answers. A run blocks the thread. */
export class JudgeModel {
  readonly #network: JudgeNetwork;
  readonly #requests: RequestNetwork;
  readonly #pieces: WordPieces;

  private constructor(network: JudgeNetwork, requests: RequestNetwork, pieces: WordPieces) {
    this.#network = network;
    this.#requests = requests;
    this.#pieces = pieces;
  }

  /** Rejects when a file of the weights is missing or has an unknown digest. */
  static async open(): Promise<JudgeModel> {
    const [network, requests, vocabulary] = await Promise.all([
      openModel(NETWORK),
      openModel(REQUESTS),
      readWeights(VOCABULARY),
    ]);
    const pieces = new WordPieces(new TextDecoder().decode(vocabulary));
    return new JudgeModel(new JudgeNetwork(network), new RequestNetwork(requests), pieces);
  }

  async judge({ question, answerKind, exits, said }: JudgedAnswer): Promise<AnswerOpinion> {
    if (exits.length === 0 || exits.length > EXITS_MAX) {
      throw new Error(`the judge takes from 1 to ${EXITS_MAX} exits, not ${exits.length}`);
    }
    if (!isReadable(said)) return { exits: exits.map(() => 0), none: 1 };
    const tokens = {
      probes: layOutProbes(this.#pieces, exits),
      question: layOutQuestion(this.#pieces, question),
      exits: layOutExits(this.#pieces, exits),
      said: layOutSaid(this.#pieces, said),
    };
    return this.#network.judge(tokens, answerKind);
  }

  /** What it makes of the question and the exits is kept for the answer. */
  async readAhead({ question, exits }: AskedQuestion): Promise<void> {
    if (exits.length > EXITS_MAX) return;
    const asked = layOutQuestion(this.#pieces, question);
    if (asked !== null) await this.#network.read(asked);
    if (exits.length > 0) await this.#network.read(layOutExits(this.#pieces, exits));
  }

  /** Null if nothing readable was said. */
  async judgeRequest({ question, said, answerKind }: JudgedUtterance): Promise<RequestOpinion | null> {
    if (!isReadable(said)) return null;
    const asked = layOutQuestion(this.#pieces, question);
    return this.#requests.judge({
      said: await this.#network.encode(layOutSaid(this.#pieces, said)),
      question: asked === null ? null : await this.#network.encode(asked),
      answerKind,
    });
  }

  async close(): Promise<void> {
    await this.#network.close();
    await this.#requests.close();
  }
}

function isReadable(said: string): boolean {
  return /[\p{Letter}\p{Number}]/u.test(said);
}
