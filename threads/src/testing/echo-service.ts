import { workerData } from "node:worker_threads";
import { servePort } from "../port-requests.ts";
import { serveThread } from "../service-thread.ts";

export type EchoRequest =
  | { readonly type: "echo"; readonly value: unknown }
  | { readonly type: "fail"; readonly reason: string }
  /** Settles only when it is cancelled. */
  | { readonly type: "wait" }
  | { readonly type: "report"; readonly problem: string }
  | { readonly type: "exit"; readonly code: number }
  | { readonly type: "die" };

export interface EchoAnswers {
  readonly clients: number;
  readonly cancelled: number;
  readonly notices: readonly string[];
}

const notices: string[] = [];
let cancelled = 0;

const owner = serveThread<string, EchoAnswers>({
  start() {
    if (workerData === "broken") throw new Error("the weights are missing");
    return "loaded";
  },
  connect(port) {
    servePort<EchoRequest, unknown, string>(port, {
      async answer(request, signal) {
        if (request.type === "echo") return request.value;
        if (request.type === "fail") throw new Error(request.reason);
        if (request.type === "report") return owner.reportProblem(request.problem);
        if (request.type === "exit") process.exit(request.code);
        if (request.type === "die") setImmediate(() => Promise.reject(new Error("it broke")));
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            cancelled += 1;
            reject(signal.reason);
          });
        });
      },
      onNotice: (notice) => notices.push(notice),
      isRetryable: (error) => error instanceof Error && error.message === "busy",
    });
  },
  stop: async () => undefined,
  answers: { clients: (clients) => clients, cancelled: () => cancelled, notices: () => notices },
});
