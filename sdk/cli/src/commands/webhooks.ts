import { createHmac } from "node:crypto";
import type { Delivery, Parley } from "@parley/sdk";
import { type Command, InvalidArgumentError } from "commander";
import { type CommandIo, type GlobalOptions, openClient } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { showLine } from "../output.ts";
import { pause } from "../plain-requests.ts";

interface ListenOptions {
  readonly forwardTo: string;
  readonly endpoint?: string;
  readonly secret?: string;
  readonly since?: number;
}

const POLL_MS = 1000;
const FORWARD_MS = 15_000;
/** The service never sends to it: the endpoint is disabled, and holds its events back. */
const HELD_URL = "https://parley-cli.invalid/";

export function addWebhookCommands(program: Command, io: CommandIo): void {
  const webhooks = program.command("webhooks").description("receive events on this machine");
  webhooks
    .command("listen")
    .description("forward events to a program on this machine, signed as the service signs them")
    .requiredOption("--forward-to <url>", "such as http://localhost:3000/webhooks")
    .option("--endpoint <id>", "forward the events of this endpoint, too, with --secret; default: a temporary one")
    .option("--secret <whsec>", "the secret of the endpoint, with which the events are signed")
    .option("--since <duration>", "with --endpoint: first the events of the last 10m, 2h or 1d", readDuration)
    .action(async (options: ListenOptions, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      if (!URL.canParse(options.forwardTo)) throw new CommandError(EXIT.usage, "--forward-to must be a URL.");
      if ((options.endpoint === undefined) !== (options.secret === undefined)) {
        throw new CommandError(EXIT.usage, "--endpoint and --secret belong together.");
      }
      if (options.since !== undefined && options.endpoint === undefined) {
        throw new CommandError(EXIT.usage, "--since needs --endpoint: a temporary endpoint has no earlier events.");
      }
      const parley = await openClient(io, globals);
      const { endpoint: id, secret } = options;
      if (id !== undefined && secret !== undefined)
        return forwardEvents(io, globals, parley, { ...options, id, secret });
      const made = await parley.webhooks.create(
        { url: HELD_URL, isEnabled: false, description: `parley webhooks listen (${options.forwardTo})`.slice(0, 500) },
        { signal: io.signal },
      );
      try {
        io.err(`Their signing secret is ${made.secret}\n`);
        await forwardEvents(io, globals, parley, { ...options, id: made.id, secret: made.secret });
      } finally {
        await parley.webhooks.delete(made.id, { timeoutMs: 5000, maxRetries: 1 });
      }
    });
}

interface Forwarding {
  readonly id: string;
  readonly secret: string;
  readonly forwardTo: string;
  readonly since?: number;
}

/** Goes on until it is stopped, which rejects. Events are forwarded in their order, each once. */
async function forwardEvents(
  io: CommandIo,
  globals: GlobalOptions,
  parley: Parley,
  forwarding: Forwarding,
): Promise<void> {
  const { id, since, forwardTo } = forwarding;
  const done = new Set<string>();
  const fromMs = since === undefined ? null : Date.now() - since;
  if (fromMs === null) for (const { id: known } of await readNew(io, parley, id, done, null)) done.add(known);
  io.err(`Forwarding events to ${forwardTo}.\n`);
  for (;;) {
    for (const delivery of await readNew(io, parley, id, done, fromMs)) {
      done.add(delivery.id);
      await forwardOne(io, globals, parley, delivery, forwarding);
    }
    await pause(POLL_MS, io.signal);
  }
}

/** Oldest first. The list is newest first: it is read until something known comes. */
async function readNew(
  io: CommandIo,
  parley: Parley,
  id: string,
  done: ReadonlySet<string>,
  fromMs: number | null,
): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const delivery of parley.webhooks.listDeliveries(id, { limit: 100 }, { signal: io.signal })) {
    if (done.has(delivery.id) || (fromMs !== null && Date.parse(delivery.createdAt) < fromMs)) break;
    found.push(delivery);
  }
  return found.reverse();
}

async function forwardOne(
  io: CommandIo,
  globals: GlobalOptions,
  parley: Parley,
  { id, eventId, eventType, callId }: Delivery,
  { secret, forwardTo }: Forwarding,
): Promise<void> {
  const { body } = await parley.deliveries.get(id, { signal: io.signal });
  const status = await post(forwardTo, body, signHeaders(eventId, body, secret, Date.now()), io.signal);
  const value = { eventId, eventType, callId, status };
  showLine(io, globals, value, () => `${eventType}  ${callId ?? eventId}  ${status}`);
}

/** Standard Webhooks: the id of the event and its body are those of the service, so that the receiver sees the same. */
function signHeaders(eventId: string, body: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${eventId}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": eventId, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

async function post(url: string, body: string, headers: Record<string, string>, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(FORWARD_MS)]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error && error.name === "TimeoutError" ? "no answer in time" : "not reached";
  }
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function readDuration(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("Write a duration such as 30m, 2h or 1d.");
  return Number(count) * (UNITS_MS[unit] ?? 0);
}
