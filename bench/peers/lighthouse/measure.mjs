import lighthouse, { desktopConfig } from "lighthouse";

/**
 * Judges one page in the browser that listens on a port, and prints what was found as a line of JSON:
 *
 *     node measure.mjs '{"url":"http://...","preset":"desktop","port":9222,"cookie":null}'
 */
const { url, preset, port, cookie } = JSON.parse(process.argv[2] ?? "{}");
const flags = {
  port,
  hostname: "127.0.0.1",
  onlyCategories: ["performance"],
  output: "json",
  logLevel: "error",
  // What the browser keeps is thrown away before each page; only a header is left to say who is asking.
  ...(cookie === null ? {} : { extraHeaders: { Cookie: cookie } }),
};
const found = await lighthouse(url, flags, preset === "desktop" ? desktopConfig : undefined);
const { categories, audits, finalDisplayedUrl, runtimeError } = found.lhr;
const milliseconds = (id) => Math.round(audits[id]?.numericValue ?? Number.NaN);
console.log(
  JSON.stringify({
    address: finalDisplayedUrl,
    failure: runtimeError?.message ?? null,
    score: Math.round(100 * (categories.performance.score ?? 0)),
    firstPaintMs: milliseconds("first-contentful-paint"),
    largestPaintMs: milliseconds("largest-contentful-paint"),
    blockedMs: milliseconds("total-blocking-time"),
    shift: audits["cumulative-layout-shift"]?.numericValue ?? 0,
  }),
);
