import { gzipSync } from "node:zlib";

/** The JavaScript that every first page loads before it shows anything, compressed as it is served, in kB. */
export async function entrySizeKb(base: string): Promise<number> {
  const page = await (await fetch(`${base}/sign-in`)).text();
  const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  if (named.length === 0) throw new Error("the page names no script");
  let bytes = 0;
  for (const path of new Set(named)) {
    const script = Buffer.from(await (await fetch(`${base}${path}`)).arrayBuffer());
    bytes += gzipSync(script, { level: 9 }).length;
  }
  return bytes / 1000;
}
