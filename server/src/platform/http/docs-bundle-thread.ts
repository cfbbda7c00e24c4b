import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import scalar from "@scalar/fastify-api-reference";
import Fastify from "fastify";

// Scalar publishes its browser bundle inside a Fastify plugin, and only the plugin can return it.
const source = Fastify();
await source.register(scalar, { routePrefix: "/docs", configuration: { url: "/" } });
const { statusCode, payload } = await source.inject("/docs/js/scalar.js");
await source.close();
if (statusCode !== 200) throw new Error(`the reference bundle is not where it was: ${statusCode}`);

const etag = `"${createHash("sha256").update(payload).digest("base64url").slice(0, 22)}"`;
parentPort?.postMessage({ gzipped: gzipSync(payload), etag });
