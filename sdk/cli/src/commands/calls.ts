import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Call, NewCall, Parley, TranscriptItem } from "@parley/sdk";
import { type Command, InvalidArgumentError } from "commander";
import { type CommandIo, type GlobalOptions, openClient } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { facts, plain, show, showLine, table } from "../output.ts";

interface CreateOptions {
  readonly agent: string;
  readonly engine?: string;
  readonly from?: string;
  readonly var?: Record<string, string>;
  readonly metadata?: Record<string, string>;
  readonly idempotencyKey?: string;
  readonly wait?: boolean;
}

export function addCallCommands(program: Command, io: CommandIo): void {
  const calls = program.command("calls").description("place, list, follow and hang up calls");
  const idempotency = "requests with the same key place one call, such as the id of an order";
  calls
    .command("create")
    .description("place a call")
    .argument("<phoneNumber>", "a plus sign followed by digits")
    .requiredOption("--agent <id>", "the agent that conducts it")
    .option("--engine <name>", "default: that of the agent")
    .option("--from <number>", "the caller's number")
    .option("--var <name=value>", "a variable of the flow; may be repeated", collectPair)
    .option("--metadata <name=value>", "echoed back with the call; may be repeated", collectPair)
    .option("--idempotency-key <key>", idempotency)
    .option("--wait", `wait for its end; exit code ${EXIT.unsuccessful} if it fails`)
    .action(async (phoneNumber: string, options: CreateOptions, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      const { signal } = io;
      const body: NewCall = {
        phoneNumber,
        agentId: options.agent,
        ...(options.engine ? { engine: options.engine } : {}),
        ...(options.from ? { from: options.from } : {}),
        ...(options.var ? { variables: options.var } : {}),
        ...(options.metadata ? { metadata: options.metadata } : {}),
      };
      const placed = await parley.calls.create(body, { signal, idempotencyKey: options.idempotencyKey });
      // A person who stops waiting can still look it up.
      if (options.wait) io.err(`Placed ${placed.id}; waiting for its end.\n`);
      const call = options.wait ? await parley.calls.wait(placed.id, { signal }) : placed;
      show(io, globals, call, () => describeCall(call));
      if (options.wait) refuseFailed(call);
    });
  calls
    .command("list")
    .description("list calls, newest first")
    .option("--status <status>", "initiated, in_progress, completed or failed")
    .option("--agent <id>", "of this agent")
    .option("--number <digits>", "a phone number, or part of one")
    .option("--search <words>", "said in the call")
    .option("--limit <count>", "how many", readCount, 20)
    .action(async (options: Record<string, string> & { limit: number }, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      const found: Call[] = [];
      const query = {
        status: options["status"] as Call["status"] | undefined,
        agentId: options["agent"],
        phoneNumber: options["number"],
        q: options["search"],
        limit: Math.min(options.limit, 100),
      };
      for await (const call of parley.calls.list(query, { signal: io.signal })) {
        found.push(call);
        if (found.length >= options.limit) break;
      }
      const rows = found.map((call) => [
        ...[call.id, call.createdAt, call.phoneNumber, call.status, call.endReason ?? call.phase],
        call.durationSeconds === null ? null : `${call.durationSeconds} s`,
      ]);
      show(io, globals, found, () => table(["id", "created", "number", "status", "reason", "duration"], rows));
    });
  calls
    .command("get")
    .description("show a call, with its transcript if asked")
    .argument("<id>")
    .option("--transcript", "the transcript instead")
    .action(async (id: string, options: { transcript?: boolean }, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      if (options.transcript) {
        const transcript = await parley.calls.getTranscript(id, { signal: io.signal });
        return show(io, globals, transcript, () => transcript.items.flatMap(lineOf).join("\n"));
      }
      const call = await parley.calls.get(id, { signal: io.signal });
      show(io, globals, call, () => describeCall(call));
    });
  calls
    .command("watch")
    .description("follow a call until it ends: its events, and what is said")
    .argument("<id>")
    .action(async (id: string, _options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      refuseFailed(await watchCall(io, globals, await openClient(io, globals), id));
    });
  calls
    .command("listen")
    .description("write the live audio of a call as WAV, the callee on the left and the agent on the right")
    .argument("<id>")
    .option("--out <file>", "default: standard output, for a player such as `| ffplay -`")
    .action(async (id: string, { out }: { out?: string }, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      if (out === undefined && io.isTerminal)
        throw new CommandError(EXIT.usage, "Name a file with --out, or pipe the audio into a player.");
      const parley = await openClient(io, globals);
      const { body } = await parley.calls.listen(id, { signal: io.signal });
      if (body === null) return;
      const file = out === undefined ? null : createWriteStream(out);
      for await (const piece of body) {
        if (file === null) await io.bytes(piece);
        else if (!file.write(piece)) await once(file, "drain");
      }
      if (file !== null) await new Promise((resolve) => file.end(resolve));
    });
  calls
    .command("hangup")
    .description("hang up, or cancel a call that was not answered")
    .argument("<id>")
    .action(async (id: string, _options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const call = await (await openClient(io, globals)).calls.hangup(id, { signal: io.signal });
      show(io, globals, call, () => describeCall(call));
    });
}

async function watchCall(io: CommandIo, globals: GlobalOptions, parley: Parley, id: string): Promise<Call> {
  const { signal } = io;
  const speaking = (async () => {
    for await (const change of parley.calls.followTranscript(id, { signal })) {
      if (change.type !== "item") continue;
      const { number, item } = change;
      for (const line of lineOf(item)) showLine(io, globals, { kind: "transcript", number, item }, () => line);
    }
  })();
  const happening = (async () => {
    for await (const event of parley.calls.follow(id, { signal })) {
      showLine(io, globals, { kind: "event", ...event }, () => `${event.createdAt}  ${event.type}`);
    }
  })();
  await Promise.all([happening, speaking]);
  const call = await parley.calls.get(id, { signal });
  showLine(io, globals, { kind: "call", call }, () => describeCall(call));
  return call;
}

function lineOf(item: TranscriptItem): string[] {
  if (item.type !== "speech") return [];
  return [`${item.role}: ${plain(item.text)}`];
}

function describeCall(call: Call): string {
  const { collected, incidents, analysis } = call;
  const isCollected = collected !== null && Object.keys(collected).length > 0;
  return facts([
    ["id", call.id],
    ["number", call.phoneNumber],
    ["agent", call.agentId],
    ["mode", call.mode],
    ["network", call.network],
    ["status", `${call.status} (${call.endReason ?? call.phase})`],
    ["duration", call.durationSeconds === null ? null : `${call.durationSeconds} s`],
    ["outcome", analysis?.outcome],
    ["summary", analysis?.summary],
    ["collected", isCollected ? JSON.stringify(collected) : null],
    ["incidents", incidents.map(({ what, reason }) => `${what}: ${reason}`).join("; ") || null],
  ]);
}

function refuseFailed({ id, status, endReason }: Call): void {
  if (status === "failed") throw new CommandError(EXIT.unsuccessful, `The call ${id} failed: ${endReason}.`);
}

function collectPair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

export function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("Write a number from 1.");
  return Number(text);
}
