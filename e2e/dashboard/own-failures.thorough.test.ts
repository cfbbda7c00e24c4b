import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Call } from "@parley/contract/calls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, dataOf, type SignedInMember, signUp } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { getCall, placeCall } from "../harness/calls.ts";
import { send } from "../harness/http-client.ts";
import { looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard, signInOnPage } from "./visitor.ts";

/** Says only what the model says, and the model is broken. */
const CONVERSES = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      ...{
        id: "talk",
        type: "conversation",
        text: "Hello, this is the clinic. How are you?",
        prompt: "Ask how they are.",
      },
      ...{ exits: [{ when: "The callee has said it.", next: "bye" }], otherwise: "bye" },
    },
    { id: "bye", type: "end", text: "Thank you. Goodbye." },
  ],
};

let model: Server;
let scene: DashboardScene;
let owner: SignedInMember;
let call: Call;

beforeAll(async () => {
  model = createServer((_, reply) => reply.writeHead(500).end("the model is out of order")).listen(0, "127.0.0.1");
  await once(model, "listening");
  scene = await openDashboard({
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_NATURAL_VOICES: "off",
    PARLEY_OUTBOUND_ALLOW: "loopback",
    PARLEY_MODEL_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
    PARLEY_MODEL_NAME: "broken",
  });
  const { url } = scene.service;
  owner = await signUp(url);
  const headers = owner.cookie;
  const agent = dataOf(
    await send(url, { path: "/api/v1/agents", headers, json: { name: "Converses", flow: CONVERSES } }),
  );
  await send(url, { path: `/api/v1/agents/${agent.id}/publish`, headers, json: {} });
  const caller = { url, key: (await createKey(url, headers)).key, agentId: agent.id as string };
  const id = await placeCall(caller, "+15550100001");
  call = await until(
    () => getCall(caller, id),
    ({ phase }: Call) => phase === "ended",
    240_000,
  );
}, 300_000);
afterAll(async () => {
  await scene?.close();
  model?.close();
});

describe.each(looksOfJourney({ theme: "dark", width: 1280 }))("$theme, $width px wide", (look) => {
  test("a call that failed because of us says so on its page, in words and with the reason", async () => {
    expect(call).toMatchObject({ status: "failed", endReason: "engine_error" });
    const [incident] = call.incidents;
    expect(incident?.what).toBe("model_failed");
    expect(incident?.turns?.[0]).toBeGreaterThanOrEqual(2);
    const { page, complaints } = await scene.visit(look);
    await page.goto(`${scene.service.url}/sign-in`);
    await signInOnPage(page, owner.email);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.goto(`${scene.service.url}/calls/${call.id}`);
    await page
      .getByText(incident?.effect ?? "no effect", { exact: false })
      .first()
      .waitFor();
    const beside = page.getByRole("list", { name: "Transcript" }).getByRole("list", { name: /Problems on our side/ });
    await beside
      .getByText(/^The agent had to do without an answer/)
      .first()
      .waitFor();
    expect(await page.getByText("Failed on our side").count()).toBeGreaterThan(0);
    expect(await page.getByText("stayed silent").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a transcript that cannot be loaded is not called empty, and can be loaded again", async () => {
    const { page } = await scene.visit(look);
    await page.goto(`${scene.service.url}/sign-in`);
    await signInOnPage(page, owner.email);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    const isTranscript = (url: URL) => url.pathname.endsWith(`/${call.id}/transcript`);
    const refusal = { error: { code: "forbidden", message: "This may not be read.", retryable: false } };
    await page.route(isTranscript, (route) => route.fulfill({ status: 403, json: refusal }));
    await page.goto(`${scene.service.url}/calls/${call.id}`);
    await page.getByText("The transcript could not be loaded").waitFor();
    await page.getByText("This may not be read.").waitFor();
    await page.unroute(isTranscript);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("list", { name: "Transcript" }).waitFor();
    await page.context().close();
  });
});
