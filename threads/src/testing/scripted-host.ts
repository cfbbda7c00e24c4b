import { HostEnded, type WorkHost } from "../work-host.ts";

/** A host whose work a test finishes by hand. */
export interface ScriptedHost extends WorkHost<string, string> {
  /** Its current work, oldest first. */
  readonly underWay: readonly string[];
  /** All work it was ever given. */
  readonly started: readonly string[];
  readonly cancels: number;
  finish(result: string): void;
  fail(error: Error): void;
  die(): void;
}

export function createScriptedHost(): ScriptedHost {
  const waiting: { work: string; settled: PromiseWithResolvers<string> }[] = [];
  const started: string[] = [];
  let cancels = 0;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    for (const { settled } of waiting.splice(0)) settled.reject(new HostEnded("the host ended"));
  };
  return {
    get hasEnded() {
      return hasEnded;
    },
    get underWay() {
      return waiting.map(({ work }) => work);
    },
    started,
    get cancels() {
      return cancels;
    },
    cancel() {
      cancels += 1;
    },
    run(work) {
      if (hasEnded) return Promise.reject(new HostEnded("the host ended"));
      const settled = Promise.withResolvers<string>();
      started.push(work);
      waiting.push({ work, settled });
      return settled.promise;
    },
    finish: (result) => waiting.shift()?.settled.resolve(result),
    fail: (error) => waiting.shift()?.settled.reject(error),
    die: end,
    end: async () => end(),
  };
}
