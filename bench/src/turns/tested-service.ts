import { treeOwnMemoryMiB } from "../process-figures.ts";
import { percentile } from "../statistics.ts";
import { Child } from "./child.ts";
import type { CalleesCommand, CalleesNotice, HostCommand, HostNotice } from "./process-messages.ts";

/** The process under test and the one with its callees. */
export interface TestedService {
  readonly host: Child<HostCommand, HostNotice>;
  readonly callees: Child<CalleesCommand, CalleesNotice>;
  close(): Promise<void>;
}

/** `environment` are settings of the service. */
export async function startTestedService(
  folder: string,
  voice: "natural" | "light",
  environment: Readonly<Record<string, string>> = {},
): Promise<TestedService> {
  const args = [folder, voice, JSON.stringify(environment)];
  const host = new Child<HostCommand, HostNotice>("./host-process.ts", args, "./collect-on-request.ts");
  const callees = new Child<CalleesCommand, CalleesNotice>("./callees-process.ts");
  host.listen((notice) => {
    if (notice.type === "failed") console.error(`a call failed: ${notice.reason}`);
    if (notice.type !== "over" || notice.reason === "callee_hangup") return;
    console.error(`the agent ended call ${notice.call} before its callee was done: ${notice.reason}`);
    callees.tell({ type: "end", call: notice.call });
  });
  const service: TestedService = {
    host,
    callees,
    async close() {
      host.tell({ type: "stop" });
      callees.tell({ type: "stop" });
      await Promise.all([host.ended(), callees.ended()]);
    },
  };
  try {
    await host.next("ready");
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * Memory in use by the process under test and its recognizers: the median of several measurements, each after garbage
 * collection in all threads. A single measurement may include garbage.
 */
export async function memoryInUseMiB({ host }: TestedService, looks: number, betweenMs: number): Promise<number> {
  const seenMiB: number[] = [];
  for (let look = 0; look < looks; look++) {
    if (look > 0) await settle(betweenMs);
    const collected = host.next("collected");
    host.tell({ type: "collect" });
    await collected;
    seenMiB.push(treeOwnMemoryMiB(host.pid));
  }
  return percentile(seenMiB, 50);
}

export function settle(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
