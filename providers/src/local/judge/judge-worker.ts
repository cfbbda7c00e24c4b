import { servePort } from "@parley/threads/port-requests";
import { serveThread } from "@parley/threads/service-thread";
import { JudgeModel } from "./judge-model.ts";
import type { JudgeReply, JudgeRequest } from "./judge-thread.ts";

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
    servePort<JudgeRequest, JudgeReply>(port, {
      answer: (request, signal) =>
        inTurn<JudgeReply>(signal, async (opened) => {
          switch (request.type) {
            case "question":
              await opened.readAhead(request.asked);
              return null;
            case "answer":
              return opened.judge(request.answer);
            case "request":
              return opened.judgeRequest(request.utterance);
          }
        }),
    });
  },
  answers: {},
});
