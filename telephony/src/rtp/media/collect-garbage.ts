import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects this thread's garbage now. For idle moments. */
export const collectGarbage: () => void = findCollector();

function findCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? () => collect() : () => undefined;
}
