import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { verifyWebhook } from "@parley/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, claimFirst, createKey, dataOf, type SignedInMember } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { send } from "../harness/http-client.ts";
import { readFirstRun, type ServiceProcess, startService } from "../harness/service-process.ts";
import { type Finished, type InstalledProgram, installProgram } from "./installed-program.ts";

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let owner: SignedInMember;
let agentId: string;
let parley: InstalledProgram;

beforeAll(async () => {
  folder = await makeDataFolder();
  [service, parley] = await Promise.all([
    startService({ dataDir: folder.path, env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" } }),
    installProgram("sdk/cli", "parley"),
  ]);
  ({ agentId } = await readFirstRun(service));
  owner = await claimFirst(service);
});
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
  await parley?.remove();
});

/** The JSON of a command that succeeded. */
// biome-ignore lint/suspicious/noExplicitAny: the output of any command.
function jsonOf({ code, out, err }: Finished): any {
  if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
  return JSON.parse(out);
}
const run = (...args: string[]) => parley.run(args);
const runJson = async (...args: string[]) => jsonOf(await run(...args, "--json"));
const FILE = "agents";

describe("the command line, installed from its tarball into an empty folder", () => {
  test("signs in with a code that a member confirms, and keeps the key for its owner alone", async () => {
    expect(await run("calls", "list")).toMatchObject({ code: 3, err: expect.stringContaining("parley login") });
    const login = parley.start(["login", "--url", service.url]);
    const [, code = ""] = await login.until("err", /confirm the code (\S+)\./);
    const path = `/api/v1/device-sign-ins/${code}`;
    expect(dataOf(await send(service.url, { path, headers: owner.cookie })).client).toMatch(/^parley of/);
    dataOf(await send(service.url, { path: `${path}/approve`, headers: owner.cookie, json: { mode: "test" } }));
    expect(await login.finished).toMatchObject({ code: 0, out: expect.stringContaining("in test mode") });
    const config = join(parley.env["HOME"] ?? "", ".config/parley/config.json");
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    expect(await runJson("keys", "current")).toMatchObject({ mode: "test", accountId: owner.accountId });
    expect((await run("keys", "current")).out).not.toContain(
      JSON.parse(await readFile(config, "utf8")).profiles.default.key,
    );
  });

  test("is told when the code is refused", async () => {
    const login = parley.start(["login", "--url", service.url, "--profile", "other"]);
    const [, code = ""] = await login.until("err", /confirm the code (\S+)\./);
    await send(service.url, { path: `/api/v1/device-sign-ins/${code}/deny`, headers: owner.cookie, json: {} });
    expect(await login.finished).toMatchObject({ code: 3, err: expect.stringContaining("refused") });
  });

  test("signs in with a key, under a profile of its own", async () => {
    const { key } = await createKey(service.url, owner.cookie, { scopes: ["calls:read"] });
    expect(await run("login", "--key", "svc_test_nonsense", "--url", service.url, "--profile", "bad")).toMatchObject({
      code: 3,
    });
    await runJson("login", "--key", key, "--url", service.url, "--profile", "reader");
    expect(await runJson("keys", "current", "--profile", "reader")).toMatchObject({ scopes: ["calls:read"] });
    expect((await run("keys", "use", "default")).code).toBe(0);
    expect(await runJson("keys", "list")).toMatchObject([{ name: "default", isCurrent: true }, { name: "reader" }]);
    expect(await run("calls", "create", "+15550100001", "--agent", agentId, "--profile", "reader")).toMatchObject({
      code: 6,
      err: expect.stringContaining("calls:write"),
    });
    expect((await run("calls", "list", "--profile", "reader", "--url", "http://127.0.0.1:9")).code).toBe(2);
  });

  test("reads a key from standard input, so that no list of processes shows it, and forgets it again", async () => {
    const { key } = await createKey(service.url, owner.cookie, { scopes: ["calls:read"] });
    const login = ["login", "--key", "-", "--url", service.url, "--profile", "piped"];
    expect(await parley.run(login, {}, "\n")).toMatchObject({ code: 2, err: "There is no key on standard input.\n" });
    expect((await parley.run(login, {}, `${key}\n`)).code).toBe(0);
    expect(await runJson("keys", "current", "--profile", "piped")).toMatchObject({ scopes: ["calls:read"] });

    // It became the current profile; the one before is the default again.
    expect(await runJson("logout")).toEqual({ profile: "piped" });
    expect(await run("calls", "list", "--profile", "piped")).toMatchObject({ code: 3 });
    expect(await runJson("keys", "list")).toMatchObject([{ name: "default", isCurrent: true }, { name: "reader" }]);
    const config = await readFile(join(parley.env["HOME"] ?? "", ".config/parley/config.json"), "utf8");
    expect(config).not.toContain(key);
    expect(await run("logout", "--profile", "piped")).toMatchObject({ code: 3, err: "There is no profile piped.\n" });
    const used = await send(service.url, { path: "/api/v1/access", headers: byKey(key) });
    expect(used.status, "the key stays valid until it is revoked").toBe(200);
  });

  test("places a call, waits for its end and shows what was said", async () => {
    const call = await runJson("calls", "create", "+15550100001", "--agent", agentId, "--wait");
    expect(call).toMatchObject({ status: "completed", phoneNumber: "+15550100001" });
    expect((await run("calls", "get", call.id)).out).toContain("completed");
    const { out } = await run("calls", "get", call.id, "--transcript");
    expect(out).toMatch(/^agent: \S/m);
    expect((await runJson("calls", "list", "--limit", "1"))[0].id).toBe(call.id);
    expect(await run("usage")).toMatchObject({ code: 0, out: expect.stringMatching(/calls +\d/) });
  });

  test("says by its exit code that a call failed, and places one call for one key", async () => {
    const args = ["calls", "create", "+15550100002", "--agent", agentId, "--idempotency-key", "order-7", "--wait"];
    const first = await run(...args, "--json");
    expect(first).toMatchObject({ code: 8, err: expect.stringContaining("busy") });
    expect(JSON.parse((await run(...args, "--json")).out).id).toBe(JSON.parse(first.out).id);
  });

  test("follows a live call, hears it and hangs up", async () => {
    const { id } = await runJson("calls", "create", "+15550100001", "--agent", agentId);
    const watch = parley.start(["calls", "watch", id, "--json"]);
    await watch.until("out", /call\.in_progress/);
    const listen = parley.start(["calls", "listen", id, "--out", "live.wav"]);
    await watch.until("out", /"kind":"transcript"/);
    await until(
      async () => (await stat(join(parley.folder, "live.wav")).catch(() => null))?.size ?? 0,
      (size) => size > 1000,
      30_000,
    );
    expect((await run("calls", "hangup", id)).code).toBe(0);
    expect((await listen.finished).code).toBe(0);
    expect((await readFile(join(parley.folder, "live.wav"))).subarray(0, 4).toString()).toBe("RIFF");
    const { out, code } = await watch.finished;
    expect(code).toBe(0);
    expect(out).toContain("api_hangup");
  });

  test.each<[number, string, string[], Record<string, string>]>([
    [2, "usage_error", ["calls", "create"], {}],
    [2, "usage_error", ["calls", "list", "--limit", "many"], {}],
    [2, "usage_error", ["calls", "list", "--nonsense"], {}],
    [2, "usage_error", ["nonsense"], {}],
    [2, "usage_error", ["calls"], {}],
    [2, "usage_error", ["webhooks", "listen", "--forward-to", "nowhere"], {}],
    [3, "not_signed_in", ["calls", "list", "--profile", "nobody"], {}],
    [3, "invalid_api_key", ["calls", "list"], { PARLEY_API_KEY: "svc_test_nonsense" }],
    [4, "call_not_found", ["calls", "get", "call_01k8m3v9zq4t6w8y0a2c4e6g8j"], {}],
    [6, "validation_failed", ["calls", "create", "12345", "--agent", "agt_01k8m3v9zq4t6w8y0a2c4e6g8j"], {}],
    [7, "unavailable", ["login", "--url", "http://127.0.0.1:9", "--profile", "nobody"], {}],
  ])("ends with %i and the code %s after %j, in one form for programs", async (exitCode, code, args, env) => {
    const done = await parley.run([...args, "--json"], env);
    expect(done.code, done.err).toBe(exitCode);
    expect(done.out).toBe("");
    const { error } = JSON.parse(done.err);
    expect(Object.keys(error)).toEqual(["code", "message", "param", "details", "requestId"]);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^[^(]/), details: expect.any(Array) });
  });

  test("says to people what is wrong with their arguments", async () => {
    expect(await run("calls", "get")).toMatchObject({ code: 2, err: "error: missing required argument 'id'\n" });
    expect(await run("calls", "create", "--help")).toMatchObject({ code: 0, out: expect.stringContaining("--agent") });
  });

  test.each([
    ["parley c", ["calls", "completion"]],
    ["parley calls w", ["watch"]],
    ["parley --json calls create --id", ["--idempotency-key"]],
    ["parley webhooks listen --", expect.arrayContaining(["--forward-to", "--since", "--json", "--help"])],
    ["parley --profile calls keys u", ["use"]],
    ["parley completion z", ["zsh"]],
    ["parley calls x", []],
  ])("completes %j in bash", async (typed, expected) => {
    const { out, code } = await run("completion", "bash");
    expect(code).toBe(0);
    // What bash does when Tab is pressed at the end of the line.
    const press = `COMP_WORDS=(${typed})\nCOMP_CWORD=$((\${#COMP_WORDS[@]} - 1))\n_parley\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)("bash", ["-u", "-c", `${out}\n${press}`]);
    expect(stdout.split("\n").filter((word) => word !== "")).toEqual(expected);
  });

  test("has scripts for zsh and fish, and for no other shell", async () => {
    const [zsh, fish, other] = await Promise.all(["zsh", "fish", "csh"].map((shell) => run("completion", shell)));
    expect(zsh?.out).toMatch(/^#compdef parley\n[\s\S]*bashcompinit[\s\S]*complete -o default -F _parley parley\n$/);
    expect(fish?.out).toContain("complete -c parley -f -n '__fish_use_subcommand' -a webhooks\n");
    expect(fish?.out.split("\n").filter((line) => line !== "" && !/^complete -c parley /.test(line))).toEqual([]);
    expect(other).toMatchObject({ code: 2, err: expect.stringContaining("bash, zsh, fish") });
  });
});

describe("agents in files", () => {
  let file: string;

  test("are pulled with a schema, the same each time", async () => {
    const [pulled] = await runJson("agents", "pull", agentId, "--dir", FILE);
    file = pulled.file;
    const text = await readFile(join(parley.folder, file), "utf8");
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/agent\.schema\.json\n\nid: agt_/);
    expect(JSON.parse(await readFile(join(parley.folder, FILE, "agent.schema.json"), "utf8")).$defs).toHaveProperty(
      "FlowNode",
    );
    await runJson("agents", "pull", agentId, "--dir", FILE);
    expect(await readFile(join(parley.folder, file), "utf8")).toBe(text);
    expect(await run("agents", "diff", file)).toMatchObject({ code: 0, out: "Nothing differs.\n" });
  });

  test("are changed, tested, pushed and published", async () => {
    const path = join(parley.folder, file);
    await writeFile(path, (await readFile(path, "utf8")).replace(/^name: .*$/m, "name: Renamed in a file"));
    expect(await run("agents", "diff", file)).toMatchObject({
      code: 8,
      out: expect.stringContaining("+name: Renamed"),
    });
    expect(await run("agents", "pull", agentId, "--dir", FILE)).toMatchObject({ code: 5 });
    const tested = await run("agents", "test", file);
    expect(tested.code, tested.out + tested.err).toBe(0);
    expect(await run("agents", "publish", file)).toMatchObject({
      code: 5,
      err: expect.stringContaining("push it first"),
    });
    await runJson("agents", "push", file);
    const [published] = await runJson("agents", "publish", file, "--note", "from a file");
    expect(published).toMatchObject({ agentId, note: "from a file" });
    expect((await runJson("agents", "list")).map(({ name }: { name: string }) => name)).toContain("Renamed in a file");
  });

  test("are refused if someone changed the draft meanwhile", async () => {
    const path = join(parley.folder, file);
    const { key } = await createKey(service.url, owner.cookie);
    const current = dataOf(await send(service.url, { path: `/api/v1/agents/${agentId}`, headers: byKey(key) }));
    const headers = { ...byKey(key), "if-match": String(current.revision) };
    await send(service.url, { method: "PATCH", path: `/api/v1/agents/${agentId}`, headers, json: { name: "Theirs" } });
    await writeFile(path, (await readFile(path, "utf8")).replace(/^name: .*$/m, "name: Ours"));
    expect(await run("agents", "push", file)).toMatchObject({ code: 5, err: expect.stringContaining("revision") });
    const pull = ["agents", "pull", agentId, "--dir", FILE];
    expect(await run(...pull)).toMatchObject({ code: 5, err: expect.stringContaining("not pushed") });
    expect(await readFile(path, "utf8")).toContain("name: Ours");
    expect((await run(...pull, "--force")).code).toBe(0);
    expect(await readFile(path, "utf8")).toContain("name: Theirs");
  });

  test("that do not compile fail their test, and ones that are no YAML are refused with the line", async () => {
    const path = join(parley.folder, file);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/next: \w+/, "next: nowhere_at_all"));
    expect(await run("agents", "test", file)).toMatchObject({ code: 8, out: expect.stringContaining("problem:") });
    await writeFile(path, "name: [");
    expect(await run("agents", "push", file)).toMatchObject({ code: 6, err: expect.stringContaining("line 1") });
    await writeFile(path, text);
  });

  test("run their scenarios, also in parallel and with a report for CI", async () => {
    const done = await run("scenarios", "run", agentId, "--parallel", "2", "--junit", "report.xml");
    expect(done.code, done.out + done.err).toBe(0);
    const report = await readFile(join(parley.folder, "report.xml"), "utf8");
    expect(report).toMatch(/<testsuites tests="([1-9]\d*)" failures="0">/);
    expect((await runJson("scenarios", "list", agentId)).length).toBe(Number(/tests="(\d+)"/.exec(report)?.[1]));
  });
});

describe("webhooks on this machine", () => {
  /** A program of the customer that keeps what it receives. */
  async function openReceiver() {
    const received: { body: string; headers: IncomingHttpHeaders }[] = [];
    const server = createServer(async (request, reply) => {
      let body = "";
      for await (const piece of request) body += piece;
      received.push({ body, headers: request.headers });
      reply.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const verify = (secret: string) =>
      Promise.all(received.map(({ body, headers }) => verifyWebhook(body, headers, secret)));
    return { url, received, verify, close: () => server.close() };
  }
  const asOwner = async (request: Omit<Parameters<typeof send>[1], "headers">) => {
    const { key } = await createKey(service.url, owner.cookie);
    return dataOf(await send(service.url, { ...request, headers: byKey(key) }));
  };

  test("are forwarded and signed, and the temporary endpoint goes with the command", async () => {
    const receiver = await openReceiver();
    const listen = parley.start(["webhooks", "listen", "--forward-to", receiver.url, "--json"]);
    const [, secret = ""] = await listen.until("err", /secret is (whsec_\S+)/);
    await run("calls", "create", "+15550100002", "--agent", agentId);
    await listen.until("out", /call\.failed.*"status":"204"/);
    listen.child.kill("SIGINT");
    expect((await listen.finished).code).toBe(130);
    receiver.close();
    const events = await receiver.verify(secret);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["call.initiated", "call.failed"]));
    expect(await asOwner({ path: "/api/v1/webhooks" })).toEqual([]);
  });

  test("of an endpoint are replayed with --since as often as asked, and without it only new ones are forwarded", async () => {
    const changes = { url: "https://receiver.invalid/", isEnabled: false, eventTypes: ["call.failed"] };
    const endpoint = await asOwner({ path: "/api/v1/webhooks", json: changes });
    const fail = async () => (await run("calls", "create", "+15550100002", "--agent", agentId, "--wait", "--json")).out;
    const earlier = JSON.parse(await fail()).id;

    const receiver = await openReceiver();
    const options = ["--endpoint", endpoint.id, "--secret", endpoint.secret, "--forward-to", receiver.url];
    const replay = async () => {
      const listen = parley.start(["webhooks", "listen", ...options, "--since", "1h"]);
      await listen.until("out", new RegExp(`^call\\.failed  ${earlier}  204$`, "m"));
      listen.child.kill("SIGINT");
      expect((await listen.finished).code).toBe(130);
    };
    await replay();
    await replay();
    const [first, second, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(second).toMatchObject({ body: first?.body, headers: { "webhook-id": first?.headers["webhook-id"] } });

    const listen = parley.start(["webhooks", "listen", ...options]);
    await listen.until("err", /Forwarding/);
    const later = JSON.parse(await fail()).id;
    await listen.until("out", /^call\.failed/m);
    listen.child.kill("SIGINT");
    expect((await listen.finished).out).toBe(`call.failed  ${later}  204\n`);
    receiver.close();
    const events = await receiver.verify(endpoint.secret);
    expect(events.map(({ type }) => type)).toEqual(["call.failed", "call.failed", "call.failed"]);
    // An endpoint that the customer made is theirs.
    expect(await asOwner({ path: "/api/v1/webhooks" })).toMatchObject([{ id: endpoint.id }]);
  });

  test.each([
    [["--endpoint", "whk_1"], "--endpoint and --secret belong together."],
    [["--since", "yesterday"], "Write a duration such as 30m, 2h or 1d."],
    [["--since", "2h"], "--since needs --endpoint"],
  ])("are refused with %j", async (more, message) => {
    const done = await run("webhooks", "listen", "--forward-to", "http://127.0.0.1:9/", ...more);
    expect(done).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
