import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { completeCall } from "../harness/calls.ts";
import { claim, cookieOf, makeKey } from "../harness/claim.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

const OPERATOR_TOKEN = "an-operator-token-that-nobody-logs";
const INSTALLATION_SECRET = "an-installation-secret-that-nobody-logs";

let scene: Scene;
let service: ServiceProcess;
/** Each with the name that a failing test shows: the value itself must not be printed either. */
const secrets: Record<string, string> = { OPERATOR_TOKEN, INSTALLATION_SECRET };

beforeAll(async () => {
  scene = await Scene.open();
  service = await scene.start({
    env: { PARLEY_LOG_LEVEL: "debug", PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_SECRET: INSTALLATION_SECRET },
  });
});
afterAll(() => scene?.close());

/** Submits every kind of secret where it belongs, and some where they do not. */
async function handleSecrets(): Promise<void> {
  const { url } = service;
  const { key, agentId, claimToken } = await readFirstRun(service);
  await completeCall({ url, key, agentId });
  await ask(url, `/claim?token=${claimToken}`);
  const owner = await claim(url, claimToken);
  const made = await makeKey(url, owner.cookie, "live");
  const asOwner = { cookie: owner.cookie, origin: url };
  const invited = await ask(url, "/api/v1/members", { body: { email: "guest@example.com" }, headers: asOwner });
  const inviteToken = /lt_[\w-]+/.exec(JSON.stringify(invited.body))?.[0] ?? "";
  const guest = await claim(url, inviteToken, "guest@example.com");
  const signedIn = await ask(url, "/auth/sign-in", {
    body: { email: owner.email, password: owner.password },
    headers: { origin: url },
  });
  expect([invited.status, signedIn.status]).toEqual([200, 200]);
  const newPassword = `Other-${crypto.randomUUID()}`;
  const changed = await ask(url, "/auth/password", {
    body: { currentPassword: owner.password, newPassword },
    headers: asOwner,
  });
  expect(changed.status).toBe(200);
  await ask(url, "/auth/sign-in", {
    body: { email: owner.email, password: `${newPassword}x` },
    headers: { origin: url },
  });
  await ask(url, "/auth/sign-in", { body: `{"password":"${newPassword}",`, headers: { origin: url } });
  await ask(url, `/api/v1/calls?key=${key}`, { headers: { authorization: `Basic ${made}` } });
  await ask(url, `/api/v1/calls/${made}`, { key });
  await ask(url, "/auth/reset", { body: { token: claimToken, password: newPassword }, headers: { origin: url } });
  await ask(url, "/metrics", { key: OPERATOR_TOKEN });
  Object.assign(secrets, { key, made, claimToken, inviteToken, newPassword });
  Object.assign(secrets, { ownerPassword: owner.password, guestPassword: guest.password });
  Object.assign(secrets, { ownerCookie: tokenOf(owner.cookie), secondCookie: tokenOf(cookieOf(signedIn.headers)) });
}

const tokenOf = (cookie: string) => cookie.slice(cookie.indexOf("=") + 1);
const found = (text: string) => Object.keys(secrets).filter((name) => text.includes(secrets[name] ?? ""));

test("keys, cookies, passwords and links are neither in the log nor in any file, including the database's", async () => {
  await handleSecrets();
  // PostgreSQL's own log mentions a lost statement; a checkpoint writes all rows to the files.
  await scene.query("checkpoint");
  expect(await service.end("SIGINT")).toEqual({ code: 0, signal: null });
  const tooShort = Object.keys(secrets).filter((name) => (secrets[name] ?? "").length < 20);
  expect(tooShort).toEqual([]);
  const log = service
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  expect(log.length).toBeGreaterThan(3);
  expect(found(log.join("\n"))).toEqual([]);
  const files = scene.files(scene.dataDir, "all");
  expect(files).toContain(join(scene.cluster, "PG_VERSION"));
  expect(files.some((file) => file.includes("/cluster/log/"))).toBe(true);
  const holding = files.flatMap((file) => found(readFileSync(file, "latin1")).map((name) => `${name} in ${file}`));
  expect(holding).toEqual([]);
});

test("they were shown on the terminal once: the key and the link of the first start, and nothing else", () => {
  const printed = service.output();
  expect(found(printed).sort()).toEqual(["claimToken", "key"]);
});
