import { fork } from "node:child_process";
import { once } from "node:events";
import { within } from "../sip/within.ts";

export interface FarEndReport {
  /** How often each case was played to its end. */
  readonly completed: Readonly<Record<string, number>>;
  readonly complaints: readonly string[];
}

export interface FarEndProcess {
  /** Where it takes calls, over UDP and TCP. */
  readonly port: number;
  report(): Promise<FarEndReport>;
  stop(): Promise<void>;
}

export async function startFarEnd(seed: number): Promise<FarEndProcess> {
  const child = fork(new URL("./far-end/main.ts", import.meta.url), [], {
    execArgv: [],
    env: { ...process.env, SOAK_SEED: String(seed) },
  });
  const [{ port }] = (await within(once(child, "message"), "the start of the far end")) as [{ port: number }];
  return {
    port,
    async report() {
      const reply = once(child, "message");
      child.send("report");
      const [report] = (await within(reply, "the report of the far end")) as [FarEndReport];
      return report;
    },
    async stop() {
      const exited = once(child, "exit");
      child.disconnect();
      await within(exited, "the end of the far end");
    },
  };
}
