import { servePort } from "@parley/threads/port-requests";
import { serveThread } from "@parley/threads/service-thread";
import type { AnswerOpinion, JudgedAnswer } from "@parley/voice/ports/answer-judge";
import { JudgeModel } from "./judge-model.ts";

/** The thread that runs the judge: a run blocks it, and no other model runs in it. */

const model = JudgeModel.open();
// `start` reports why it could not be opened.
model.catch(() => undefined);
let work: Promise<unknown> = Promise.resolve();

/** One after the other. A request that was cancelled before its turn is skipped. */
function inTurn<Result>(signal: AbortSignal, doWork: (opened: JudgeModel) => Promise<Result>): Promise<Result> {
  const result = work.then(async () => {
    const opened = await model;
    signal.throwIfAborted();
    return doWork(opened);
  });
  work = result.catch(() => undefined);
  return result;
}

serveThread<void, Record<never, never>>({
  async start() {
    await model;
  },
  async stop() {
    await work;
    const opened = await model.catch(() => null);
    await opened?.close();
  },
  connect(port) {
    servePort<JudgedAnswer, AnswerOpinion>(port, {
      answer: (answer, signal) => inTurn(signal, (opened) => opened.judge(answer)),
    });
  },
  answers: {},
});
