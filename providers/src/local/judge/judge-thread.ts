import type { MessagePort } from "node:worker_threads";
import { connectPort } from "@parley/threads/port-requests";
import { startServiceThread } from "@parley/threads/service-thread";
import type {
  AnswerJudge,
  AnswerOpinion,
  AskedQuestion,
  JudgedAnswer,
  JudgedUtterance,
  RequestOpinion,
} from "@parley/voice/ports/answer-judge";
import { ProviderError } from "@parley/voice/ports/provider-error";

const PROVIDER = "answer-judge";

/** The judge of this program, shared by all conversations. */
export interface JudgeThread {
  /** Resolves when the networks are loaded. Rejects when their weights are missing or have an unknown digest. */
  readonly ready: Promise<void>;
  /** A port to it for one thread, to be passed to `connectJudge` there. */
  connect(): MessagePort;
  stop(): Promise<void>;
}

export interface JudgeThreadOptions {
  /** The thread is gone: from now on nothing is judged. */
  readonly onFailure: (reason: string) => void;
}

/** Starts loading the networks immediately. Requests in the meantime are answered when they are loaded. */
export function startJudgeThread({ onFailure }: JudgeThreadOptions): JudgeThread {
  const program = new URL("./judge-worker.ts", import.meta.url);
  const thread = startServiceThread<void, Record<never, never>>(program, { name: "judge", onFailure });
  return {
    ready: thread.ready,
    connect: () => thread.connect(),
    stop: () => thread.stop(),
  };
}

/** What is sent to the thread, and what it replies. */
export type JudgeRequest =
  | { readonly type: "question"; readonly asked: AskedQuestion }
  | { readonly type: "answer"; readonly answer: JudgedAnswer }
  | { readonly type: "request"; readonly utterance: JudgedUtterance };
export type JudgeReply = AnswerOpinion | RequestOpinion | null;

/** The judge as one thread uses it, over a port from `JudgeThread.connect`. */
export interface ConnectedJudge extends Required<AnswerJudge> {
  close(): Promise<void>;
}

export function connectJudge(port: MessagePort): ConnectedJudge {
  const client = connectPort<JudgeRequest, JudgeReply>(
    port,
    (reason, retryable) => new ProviderError(PROVIDER, reason, { retryable }),
  );
  return {
    name: PROVIDER,
    judge: async ({ question, exits, answerKind, said }, signal) => {
      const reply = await client.request({ type: "answer", answer: { question, exits, answerKind, said } }, signal);
      return reply as AnswerOpinion;
    },
    judgeRequest: async ({ question, answerKind, said }, signal) => {
      const reply = await client.request({ type: "request", utterance: { question, answerKind, said } }, signal);
      return reply as RequestOpinion | null;
    },
    readAhead({ question, exits }) {
      // What could not be read ahead is read with the answer.
      client.request({ type: "question", asked: { question, exits } }).catch(() => undefined);
    },
    async close() {
      client.close();
    },
  };
}
