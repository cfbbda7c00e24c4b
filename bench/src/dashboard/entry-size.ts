import { gzipSync } from "node:zlib";

/** The page that every address of the dashboard begins with; only requests for a page get it. */
export async function fetchPage(base: string): Promise<string> {
  return (await fetch(`${base}/sign-in`, { headers: { accept: "text/html" } })).text();
}

/** The JavaScript that every first page loads before it shows anything, compressed as it is served, in kB. */
export async function entrySizeKb(base: string): Promise<number> {
  const page = await fetchPage(base);
  const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  if (named.length === 0) throw new Error("the page names no script");
  let bytes = 0;
  for (const path of new Set(named)) {
    const script = Buffer.from(await (await fetch(`${base}${path}`)).arrayBuffer());
    bytes += gzipSync(script, { level: 9 }).length;
  }
  return bytes / 1000;
}
