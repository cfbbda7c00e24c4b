import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ThreadUnderTest } from "./media-run.ts";
import { type Core, startProgram } from "./program.ts";
import { planThread } from "./thread-plan.ts";
import type { LegKeys } from "./write-packets.ts";

const CORE: Core = 1;

/** Our media thread, with its whole process pinned to one core, to measure what a core carries. */
export function ourThread(folder: string, keys: readonly LegKeys[] = []): ThreadUnderTest {
  return startingOurs(keys.length === 0 ? "parley" : "parley, SRTP", folder, keys, { blocks: false, core: CORE });
}

/** Our media thread beside a main thread that is busy for 30 of every 100 ms, on whichever core is free. */
export function ourThreadBesideBusyMain(folder: string): ThreadUnderTest {
  return startingOurs("parley, main thread blocked", folder, [], { blocks: true, core: null });
}

export function referenceThread(program: string): ThreadUnderTest {
  return { name: "C", start: async (remotePorts) => startProgram(program, remotePorts.map(String), CORE) };
}

function startingOurs(
  name: string,
  folder: string,
  keys: readonly LegKeys[],
  { blocks, core }: { blocks: boolean; core: Core },
): ThreadUnderTest {
  const entry = fileURLToPath(new URL("./our-thread.ts", import.meta.url));
  const planFile = join(folder, "plan.json");
  return {
    name,
    async start(remotePorts) {
      await writeFile(planFile, JSON.stringify(planThread(remotePorts, keys, blocks)));
      return startProgram(process.execPath, [entry, planFile], core);
    },
  };
}
