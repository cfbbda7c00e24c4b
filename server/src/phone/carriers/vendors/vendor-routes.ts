import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "@parley/contract/errors";
import type { Clock } from "@parley/time/clock";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Vouch, writeInternalToken } from "../../../calls/live/listening/internal-token.ts";
import { VENDOR_BODY_BYTES_MAX, vendorInletPath } from "../../../calls/live/listening/live-server.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { RateLimiter } from "../../../platform/http/limits/rate-limit.ts";
import { asksForWebSocket, refuseBadHandshake, takeSocket } from "../../../platform/http/web-socket.ts";
import type { Log } from "../../../platform/telemetry/log.ts";
import type { ReachSettings } from "../../trunks/reach.ts";
import { type CarrierDirectory, isSipTrunk, type VendorTrunk } from "../../trunks/to-carrier-trunk.ts";
import type { VendorRequest } from "./vendor.ts";
import { findVendorWorker, nameAttempt } from "./vendor-call-store.ts";
import { isVendorName, VENDORS, vendorPath } from "./vendor-carriers.ts";

export interface VendorRouteDeps {
  readonly db: Database;
  readonly log: Pick<Log, "warn" | "info">;
  readonly clock: Clock;
  readonly vouch: Vouch;
  readonly directory: () => CarrierDirectory;
  readonly reach: ReachSettings;
  /** Per address, for requests that no vendor signed. */
  readonly refusals: RateLimiter;
}

/** A worker of the same installation answers quickly or is gone. */
const ANSWER_WITHIN_MS = 5_000;
/** Audio streams that one process passes on, and those of them that wait for their worker. */
const STREAMS_MAX = 2_000;
const HANDSHAKES_MAX = 200;
/** Connection management is between two neighbours (RFC 9110 section 7.6.1), and so is what proves who asks. */
const NOT_PASSED_ON = new Set(["connection", "keep-alive", "transfer-encoding", "host", "authorization", "cookie"]);

interface Addressed {
  readonly trunk: VendorTrunk;
  readonly workerId: string;
  /** Below the public URL of the carrier. */
  readonly path: string;
}

/**
 * What phone vendors send: callbacks, and the audio of calls as WebSockets. It concerns a call that one worker holds, which may be another
 * process or machine, so it is verified here and passed on to that worker. The URL names the worker.
 */
export function addVendorRoutes(app: FastifyInstance, deps: VendorRouteDeps): void {
  const streams = new Set<Duplex>();
  let handshakes = 0;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The bytes are signed, so they are passed on as they are.
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: VENDOR_BODY_BYTES_MAX },
      async (_: unknown, body: Buffer) => body,
    );
    scope.post("/carriers/:kind/:workerId/:trunkId/*", async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const to = await admit(deps, request, body);
      return passOn(deps, to, { path: to.path, headers: request.headers, body }, reply);
    });
    scope.get("/carriers/:kind/:workerId/:trunkId/*", { exposeHeadRoute: false }, async (request, reply) => {
      const to = await admit(deps, request, Buffer.alloc(0));
      const header = (name: string) => request.headers[name] as string | undefined;
      if (!asksForWebSocket(header)) throw forbidden();
      refuseBadHandshake(header);
      if (handshakes >= HANDSHAKES_MAX || streams.size >= STREAMS_MAX)
        throw new AppError("unavailable", "Too many audio streams.", { retryAfterSeconds: 1 });
      handshakes += 1;
      try {
        const worker = await openStream(deps, to, request.headers);
        join(takeSocket(reply), worker, streams);
      } finally {
        handshakes -= 1;
      }
      return reply;
    });
  });
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.destroy();
  });
}

/** Everything that its vendor did not sign is refused alike, so that nothing can be learned about trunks and workers. */
async function admit(deps: VendorRouteDeps, request: FastifyRequest, body: Buffer): Promise<Addressed> {
  const { kind = "", workerId = "", trunkId = "", "*": rest = "" } = request.params as Record<string, string>;
  const trunk = deps.directory().trunks.find(({ id }) => id === trunkId);
  const { publicUrl } = deps.reach;
  if (trunk !== undefined && !isSipTrunk(trunk) && isVendorName(kind) && trunk.kind === kind && publicUrl !== null) {
    const path = `/${rest}`;
    const isStream = asksForWebSocket((name) => request.headers[name] as string | undefined);
    const carrierUrl = `${publicUrl}${vendorPath(kind, workerId, trunkId)}`;
    const claim = { trunk, carrierUrl, path, isStream, vouch: deps.vouch, nowMs: deps.clock.now() };
    if (VENDORS[kind].isGenuine(claim, { headers: request.headers, body })) return { trunk, workerId, path };
  }
  const { allowed, resetSeconds } = await deps.refusals(`carrier ${request.ip}`);
  if (!allowed)
    throw new AppError("rate_limited", "Too many requests; slow down.", { retryAfterSeconds: resetSeconds });
  // Anyone may send this. If the vendor did, a credential of the trunk is wrong.
  if (trunk !== undefined)
    deps.log.info({ trunkId, ip: request.ip }, "unsigned request for a trunk of a vendor refused");
  throw forbidden();
}

function forbidden(): AppError {
  return new AppError("not_signed", "The request is not signed by the vendor of a trunk, or concerns no call.");
}

async function passOn(
  deps: VendorRouteDeps,
  to: Addressed,
  request: VendorRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, log } = deps;
  const { trunk, workerId } = to;
  const worker = await findVendorWorker(db, workerId);
  if (worker === null) throw forbidden();
  try {
    if (worker.internal_url === null) throw new Error("the worker has no internal URL");
    const answer = await askWorker(deps, to, worker.internal_url, request);
    if (answer.status >= 400) throw forbidden();
    if (answer.contentType !== null) reply.type(answer.contentType);
    return reply.code(answer.status).send(answer.body);
  } catch (error) {
    if (error instanceof AppError) throw error;
    log.warn({ error, workerId, trunkId: trunk.id }, "callback of a phone vendor could not be delivered to its worker");
  }
  await settleStray(deps, to, request, worker.holds_calls);
  const { goneReply } = VENDORS[trunk.kind];
  if (goneReply.contentType !== null) reply.type(goneReply.contentType);
  return reply.code(goneReply.status).send(goneReply.body);
}

/**
 * The worker of a call cannot be reached. The name of the call is written to its journal, for the worker that takes over; if no lease is
 * left that a living worker could have, the call is ended at once.
 */
async function settleStray(
  { db, log, clock, reach }: VendorRouteDeps,
  { trunk }: Addressed,
  request: VendorRequest,
  mayBeAlive: boolean,
): Promise<void> {
  const apiUrl = reach.vendorUrls[trunk.kind];
  const stray = VENDORS[trunk.kind].readStray({ clock, trunk: () => trunk, apiUrl }, request);
  if (stray === null) return;
  const { recordKey, recordValue, named, isOver } = stray;
  if (!(await nameAttempt(db, { trunkId: trunk.id, recordKey, recordValue, named }))) throw forbidden();
  if (isOver || mayBeAlive) return;
  await stray
    .end()
    .catch((error: unknown) => log.warn({ error, trunkId: trunk.id }, "call of a lost worker could not be ended"));
}

interface WorkerAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Buffer;
}

function askWorker(
  deps: VendorRouteDeps,
  to: Addressed,
  base: string,
  { headers, body }: VendorRequest,
): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    const asking = requestWorker(deps, to, base, "POST", { ...headers, "content-length": String(body.length) });
    asking.once("error", reject);
    asking.once("response", (answer) => {
      readAll(answer).then(
        (text) =>
          resolve({
            status: answer.statusCode ?? 502,
            contentType: answer.headers["content-type"] ?? null,
            body: text,
          }),
        reject,
      );
    });
    asking.end(body);
  });
}

/** The worker's side of an audio stream, after it has accepted. Throws when it does not. */
async function openStream(
  deps: VendorRouteDeps,
  to: Addressed,
  headers: IncomingHttpHeaders,
): Promise<{ readonly socket: Duplex; readonly head: Buffer; readonly accepted: IncomingMessage }> {
  const worker = await findVendorWorker(deps.db, to.workerId);
  if (worker === null || worker.internal_url === null) throw forbidden();
  const base = worker.internal_url;
  return new Promise((resolve, reject) => {
    const asking = requestWorker(deps, to, base, "GET", { ...headers, connection: "Upgrade", upgrade: "websocket" });
    asking.once("error", () =>
      reject(
        new AppError("unavailable", "The process that holds the call cannot be reached.", { retryAfterSeconds: 5 }),
      ),
    );
    asking.once("response", (refusal) => {
      refusal.destroy();
      reject(forbidden());
    });
    asking.once("upgrade", (accepted, socket, head) => {
      socket.setTimeout(0);
      resolve({ socket, head, accepted });
    });
    asking.end();
  });
}

function requestWorker(
  { vouch, clock }: VendorRouteDeps,
  { trunk, workerId, path: rest }: Addressed,
  base: string,
  method: "GET" | "POST",
  headers: IncomingHttpHeaders,
) {
  const path = vendorInletPath(trunk.kind, trunk.id, rest);
  const isUpgrade = headers.upgrade !== undefined;
  const passed = Object.entries(headers).filter(
    ([name]) => !NOT_PASSED_ON.has(name) || (isUpgrade && name === "connection"),
  );
  const token = writeInternalToken(vouch, { workerId, method, path }, clock.now());
  const asking = requestHttp(`${base}${path}`, {
    method,
    agent: false,
    headers: { ...Object.fromEntries(passed), authorization: `Bearer ${token}` },
  });
  asking.setTimeout(ANSWER_WITHIN_MS, () => asking.destroy(new Error("no answer")));
  return asking;
}

/** Passes bytes on in both directions until one side ends. The frames in them are the worker's business. */
function join(
  vendor: Duplex,
  { socket: worker, head, accepted }: Awaited<ReturnType<typeof openStream>>,
  streams: Set<Duplex>,
): void {
  const lines = accepted.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
  );
  vendor.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
  if (head.length > 0) vendor.write(head);
  for (const [one, other] of [
    [vendor, worker],
    [worker, vendor],
  ] as const) {
    streams.add(one);
    // Frames of 20 ms must not wait for each other.
    if ("setNoDelay" in one && typeof one.setNoDelay === "function") one.setNoDelay(true);
    one.pipe(other);
    one.on("error", () => one.destroy());
    one.once("close", () => {
      streams.delete(one);
      other.destroy();
    });
  }
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
