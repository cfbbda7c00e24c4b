import type { openDashboard } from "@parley/e2e/dashboard/visitor";
import { mainThread, type TraceEvent } from "./read-trace.ts";

export type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openDashboard>>["visit"]>>["page"];

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel", "v8.execute"];

/** Does something on a page, and returns what its main thread did meanwhile. */
export async function traced<Result>(page: Page, work: () => Promise<Result>) {
  const browser = page.context().browser();
  if (!browser) throw new Error("the page has no browser");
  await browser.startTracing(page, { categories: CATEGORIES });
  const result = await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return { result, thread: mainThread(trace.traceEvents) };
}
