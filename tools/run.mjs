// Starts a TypeScript entry point on the Node this repository pins: `node tools/run.mjs server/src/main.ts`.
// Plain JavaScript on purpose, so that an old Node can still read the message below.
import { pathToFileURL } from "node:url";

const NODE_MAJOR_NEEDED = 26;
const major = Number(process.versions.node.split(".")[0]);
if (major < NODE_MAJOR_NEEDED) {
  console.error(
    `Parley runs on Node ${NODE_MAJOR_NEEDED}; this is Node ${process.versions.node} (${process.execPath}).\n` +
      "Run it through npm (npm start, npm test, npm run ...), which uses the Node that `npm ci` installed in node_modules.\n" +
      "If you did, `npm ci` left that Node out: run it again without --omit=optional, or install Node 26 yourself.",
  );
  process.exit(1);
}

const [entry, ...rest] = process.argv.slice(2);
if (!entry) {
  console.error("Usage: node tools/run.mjs <entry.ts> [arguments]");
  process.exit(2);
}
// ONNX Runtime, which runs the speech models, otherwise reports its use to its vendor. It reads the environment of the
// process, which threads share.
process.env.ORT_DISABLE_TELEMETRY = "1";
process.argv = [process.argv[0] ?? "node", entry, ...rest];
await import(pathToFileURL(entry).href);
