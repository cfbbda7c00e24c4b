import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { readCommands } from "@parley/tools/snippets/read-commands";
import { readSnippets, type Snippet } from "@parley/tools/snippets/read-snippets";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { claim, readClaimToken } from "../harness/claim.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";

/** In the order in which a newcomer reads them: later ones use what earlier ones made. */
const DOCUMENTS = [
  ...["README.md", "docs/guides/first-call.md", "docs/guides/agents.md", "docs/guides/batches.md"],
  ...["docs/guides/billing.md", "docs/guides/live-calls.md", "docs/guides/simulated-network.md"],
  ...["docs/guides/transcripts.md", "docs/guides/trying-agents.md", "docs/guides/webhooks.md"],
  ...["docs/guides/who-may-be-called.md", "docs/guides/writing-exits.md"],
];
/** Blocks with other programs start services or talk to operators; tools/snippets.test.ts checks those without running them. */
const RUN = new Set(["curl", "cat", "export", "jq", "sed"]);
/** The second request needs a value of the first reply, which a script does not have. */
const NEEDS_A_READER = /"state": "\.\.\."/;
/** The reply that the text after the block announces instead of success. */
const REFUSED: readonly (readonly [path: string, block: RegExp, reply: RegExp])[] = [
  ["docs/guides/agents.md", /publish" -H "Authorization: Bearer \$API_KEY"\n$/, /"code":"unknown_node"/],
];

const snippets = DOCUMENTS.flatMap((path) => readSnippets(path, readFileSync(join(REPOSITORY, path), "utf8"))).filter(
  ({ language, text: script }) =>
    language === "sh" &&
    !NEEDS_A_READER.test(script) &&
    readCommands(script).every(({ words: [program] }) => program !== undefined && RUN.has(program)),
);

let scene: Scene;
let folder: string;
let url: string;
let key: string;
let password: string;
let env: Record<string, string>;
/** The latest id or secret of each kind, by what stands before `_...`. */
const latest = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-commands-"));
  // A refused request ends the script.
  writeFileSync(join(folder, ".curlrc"), "fail-with-body\n");
  scene = await Scene.open();
  // Calls without a conversation have neither a recording nor a transcript.
  const service = await scene.start({ env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" } });
  ({ url } = service);
  const first = await readFirstRun(service);
  ({ key } = first);
  latest.set("agt", first.agentId);
  latest.set("svc_test", key);
  env = { API_KEY: key, BASE: url, AGENT: first.agentId };
  ({ password } = await claim(url, await readClaimToken(service), "you@example.com"));
});
afterAll(async () => {
  await scene?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("commands of guides do what they say", () => {
  test("there are many", () => {
    expect(snippets.length).toBeGreaterThan(25);
  });

  test.each(snippets.map((snippet) => ({ ...snippet, place: `${snippet.path}:${snippet.line}` })))(
    "$place",
    async (snippet) => {
      await prepare(snippet);
      const { code, printed } = await runScript(fillIn(snippet.text));
      const refusal = REFUSED.find(([path, block]) => path === snippet.path && block.test(snippet.text));
      if (refusal) expect([code, printed]).toEqual([22, expect.stringMatching(refusal[2])]);
      else expect([code, printed]).toEqual([0, printed]);
      remember(snippet, printed);
    },
  );
});

/** What the reader has done or waited for before. */
async function prepare({ text: script }: Snippet): Promise<void> {
  if (script.includes("/recording")) {
    await until(
      async () => (await ask(url, `/api/v1/calls/${latest.get("call")}`, { key })).body.data.recording?.status,
      (status) => status === "ready",
      120_000,
    );
  }
  if (script.includes("dlv_...") && !latest.has("dlv")) {
    const endpoint = `/api/v1/webhooks/${latest.get("whk")}`;
    await ask(url, `${endpoint}/test`, { key, method: "POST" });
    const [delivery] = await until(
      async () => (await ask(url, `${endpoint}/deliveries`, { key })).body.data as { id: string }[],
      ({ length }) => length > 0,
      30_000,
    );
    latest.set("dlv", delivery?.id ?? "");
  }
}

function fillIn(script: string): string {
  return script
    .replaceAll(/\b([a-z]+(?:_test|_live)?)_\.\.\./g, (placeholder, kind: string) => latest.get(kind) ?? placeholder)
    .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):3000/g, url)
    .replaceAll('"password":"..."', `"password":"${password}"`);
}

function remember({ text: script }: Snippet, printed: string): void {
  // Of replies with one thing: a list does not say which of them is meant.
  const created = /\{"success":true,"data":\{[^{}]*?"id":"(?<id>(?<kind>[a-z]+)_\w+)"/g;
  for (const { groups } of printed.matchAll(created)) latest.set(groups?.["kind"] ?? "", groups?.["id"] ?? "");
  const liveKey = /"key":"(svc_live_[^"]+)"/.exec(printed)?.[1];
  if (liveKey !== undefined) latest.set("svc_live", liveKey);
  for (const [, name = "", kind = ""] of script.matchAll(/^export (\w+)=([a-z]+(?:_live)?)_\.\.\./gm)) {
    const value = latest.get(kind);
    if (value !== undefined && name !== "API_KEY") env[name] = value;
  }
}

async function runScript(script: string): Promise<{ code: number; printed: string }> {
  const child = spawn("sh", ["-e", "-c", script], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const printed = await text(child.stdout);
  const [code] = (await closed) as [number];
  return { code, printed };
}
