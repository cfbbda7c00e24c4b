import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey, dataOf } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { openBrowser } from "../harness/browser.ts";
import { send } from "../harness/http-client.ts";
import { addRecording } from "../harness/recorded-call.ts";

/** Long enough that a browser does not fetch it whole before it plays, so that seeking needs another part of the file. */
const SECONDS = 900;
const LATE_SECONDS = 800;
const PATIENCE_MS = 60_000;

let world: ApiWorld;
let browser: Browser;
let base: string;
let headers: Readonly<Record<string, string>>;
let callId: string;

beforeAll(async () => {
  world = await openApiWorld();
  const service = await world.start();
  base = service.url;
  const { cookie } = await claimFirst(service);
  headers = byKey((await createKey(base, cookie)).key);
  const [agent] = dataOf(await send(base, { path: "/api/v1/agents", headers })) as { id: string }[];
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const json = { phoneNumber: "+15550100001", agentId: agent?.id, scheduledAt };
  callId = dataOf(await send(base, { path: "/api/v1/calls", headers, json })).id;
  await addRecording(world, callId, SECONDS);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

async function makeLink(): Promise<string> {
  const path = `/api/v1/calls/${callId}/recording/link`;
  return dataOf(await send(base, { method: "POST", path, headers })).url;
}

/** Opens a page, and collects which parts of recordings it received and its errors. */
async function watch(): Promise<{ page: Page; parts: string[]; complaints: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const parts: string[] = [];
  const complaints: string[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/recording/link"))
      parts.push(`${response.status()} ${response.headers()["content-range"] ?? "whole"}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return { page, parts, complaints };
}

async function playAndSeek(page: Page, player: string): Promise<void> {
  const media = `document.querySelector('${player}')`;
  // Queried from outside: the page's policy allows no evaluation in it.
  const come = (state: string) => until(() => page.evaluate(state), Boolean, PATIENCE_MS);
  await come(`${media}?.readyState >= 2`);
  expect(await page.evaluate(`${media}.duration`)).toBeCloseTo(SECONDS, 1);
  await page.evaluate(`${media}.play()`);
  await come(`${media}.currentTime > 0.5`);
  await page.evaluate(`${media}.currentTime = ${LATE_SECONDS}`);
  await come(`${media}.currentTime > ${LATE_SECONDS} + 0.5 && !${media}.seeking`);
  expect(await page.evaluate(`${media}.error`)).toBeNull();
}

test("a link that is opened in a browser plays and seeks, and the browser fetches only the part it needs", async () => {
  const { page, parts, complaints } = await watch();
  await page.goto(await makeLink());
  await playAndSeek(page, "video, audio");
  expect(complaints).toEqual([]);
  // Somewhere far into the file, not from its beginning.
  expect(
    parts.some((part) => /^206 bytes [1-9]\d{6,}-/.test(part)),
    parts.join("\n"),
  ).toBe(true);
  await page.close();
});

test("a link plays and seeks in the page of another site", async () => {
  const link = await makeLink();
  const site: Server = createServer((_request, response) =>
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(`<!doctype html><title>Another site</title><audio controls src="${link}"></audio>`),
  );
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  try {
    const { page, complaints } = await watch();
    // Another host name and another port: neither the same origin nor the same site.
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    await playAndSeek(page, "audio");
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    await page.close();
  } finally {
    site.close();
  }
});
