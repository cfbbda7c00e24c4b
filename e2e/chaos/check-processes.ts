import type { Violation } from "./check-run.ts";
import type { Member } from "./supervised-programs.ts";

/** No process may crash because something happened to another. */
export function checkProcesses(members: readonly Member[]): Violation[] {
  return members.flatMap((member) => [
    ...member.unexpected.map((exit) => ({ rule: "a process ended by itself", detail: JSON.stringify(exit) })),
    ...member.outputs
      .flatMap((output) => output().split("\n"))
      .filter((line) => line.startsWith('{"level":"error"'))
      .map((line) => ({ rule: "a process reports an error", detail: `${member.name} ${line.slice(0, 1500)}` })),
  ]);
}
