import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface DocsBundle {
  readonly gzipped: Uint8Array;
  readonly etag: string;
}

/**
 * Fetches the browser bundle of the reference page. The package that holds it is several megabytes of text; reading it
 * in a thread that ends costs the service neither the memory nor a pause.
 */
export async function loadDocsBundle(): Promise<DocsBundle> {
  const thread = new Worker(new URL("./docs-bundle-thread.ts", import.meta.url));
  // `once` also rejects when the thread reports an error.
  const [bundle] = (await once(thread, "message")) as [DocsBundle];
  await thread.terminate();
  return bundle;
}
