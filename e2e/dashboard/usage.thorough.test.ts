import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKey, signInAgain } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { findBarriers } from "../harness/browser.ts";
import { completeCall, placeCall, untilPhase } from "../harness/calls.ts";
import { type DashboardScene, openDashboard, PATIENCE_MS, signUpOnPage } from "./visitor.ts";

let scene: DashboardScene;

beforeAll(async () => {
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" });
});
afterAll(() => scene?.close());

test("a member reads what the calls came to, follows a number to its calls, and takes the numbers along", async () => {
  const { url } = scene.service;
  const { page, complaints } = await scene.visit();
  const email = await signUpOnPage(page, url);
  const { cookie } = await signInAgain(url, email);
  const { key } = await createKey(url, cookie, { name: "Nightly export" });
  const agents = await ask(url, "/api/v1/agents", { key });
  const caller = { url, key, agentId: agents.body.data[0].id };
  await completeCall(caller);
  await untilPhase(caller, await placeCall(caller, "+15550100002"), "ended", PATIENCE_MS);

  await page.getByRole("link", { name: "Usage", exact: true }).first().click();
  const figures = page.getByRole("region", { name: "Figures" });
  await expect.poll(() => figures.textContent()).toContain("1 of 2 calls");
  await expect.poll(() => figures.textContent()).toContain("Nothing to compare with");

  // A number leads to the calls that it counts.
  await page.getByRole("table", { name: "Outcome" }).getByRole("link", { name: "Busy" }).click();
  const listed = page.getByRole("table", { name: "Calls" }).getByRole("link");
  await expect.poll(() => listed.allTextContents()).toEqual(["+15550100002"]);
  await page.getByRole("button", { name: "Remove filter: Outcome: Busy" }).click();
  await expect.poll(() => listed.allTextContents()).toEqual(["+15550100002", "+15550100001"]);
  await page.goBack();

  // Every choice is part of the address.
  await page.getByRole("combobox", { name: "Group by" }).selectOption("key");
  await page.getByRole("radio", { name: "Today" }).click();
  await page.getByRole("table", { name: "API key" }).getByRole("button", { name: "Answered" }).click();
  await page.waitForURL(/period=today/);
  await page.reload();
  const table = page.getByRole("table", { name: "API key" });
  await table.getByRole("link", { name: "Nightly export" }).waitFor();
  expect(await table.getByRole("columnheader", { name: "Answered" }).getAttribute("aria-sort")).toBe("descending");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toMatch(
    /^API key,.*\r\nNightly export,key_\w+,2,1,1,1,/,
  );

  await page.getByRole("radio", { name: "Custom" }).click();
  await page.getByLabel("From").fill("2020-01-07");
  await page.getByLabel("to", { exact: true }).fill("2020-01-01");
  await page.getByText("The first date must not be after the last.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByLabel("From").fill("2020-01-01");
  await page.getByRole("heading", { name: "No calls in this period" }).waitFor();
  expect(new URL(page.url()).searchParams.get("to")).toBe("2020-01-01");
  expect(complaints).toEqual([]);

  // A failure says so and can be overcome without leaving the page.
  await page.route("**/api/v1/usage/breakdown*", (route) => route.abort());
  await page.getByRole("radio", { name: "7 d" }).click();
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor({ timeout: PATIENCE_MS });
  await page.unroute("**/api/v1/usage/breakdown*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "API key" }).waitFor();
});

test("a member compares the versions of an agent, sees how far callees come, and reads the overview of one agent", async () => {
  const { url } = scene.service;
  const { page, complaints } = await scene.visit();
  const email = await signUpOnPage(page, url);
  const { cookie } = await signInAgain(url, email);
  const { key } = await createKey(url, cookie, { name: "Server" });
  const agents = await ask(url, "/api/v1/agents", { key });
  const [{ id, name }] = agents.body.data;
  const caller = { url, key, agentId: id };
  const comes = { simulation: { answerAfterMs: 0, script: [{ say: "Hello?" }, { say: "Yes, I will come." }] } };
  await untilPhase(caller, await placeCall(caller, "+15550100001", comes), "ended", PATIENCE_MS);
  await untilPhase(caller, await placeCall(caller, "+15550100002"), "ended", PATIENCE_MS);

  await page.goto(`${url}/agents/${id}`);
  const figures = page.getByRole("region", { name: "Figures" });
  await expect.poll(() => figures.textContent()).toContain("1 of 2 calls");
  const versions = page.getByRole("table", { name: "Version" });
  await expect.poll(() => versions.getByRole("row").nth(1).textContent()).toMatch(/^Version 1250%50%/);
  const steps = page.getByRole("table", { name: "Step by step" }).getByRole("row");
  await expect.poll(() => steps.nth(1).getByRole("cell").first().textContent()).toBe("1");
  await page.getByRole("combobox", { name: "Version whose steps are shown" }).selectOption("all");
  await page.waitForURL(/version=all/);
  await expect.poll(() => steps.nth(1).getByRole("cell").first().textContent()).toBe("1");
  expect(await findBarriers(page)).toEqual([]);
  // The same calls by another property, of which each row leads to its calls.
  const grouping = page.getByRole("combobox", { name: "Group by" });
  await grouping.selectOption("By outcome");
  await page.waitForURL(/by=outcome/);
  await page.getByRole("table", { name: "Outcome" }).getByRole("link", { name: "Busy" }).waitFor();
  await grouping.selectOption("By hour of the day");
  await page.getByRole("table", { name: "Hour of the day" }).getByRole("row").nth(1).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await grouping.selectOption("By engine");
  const engine = page.getByRole("table", { name: "Engine" }).getByRole("link");
  await engine.waitFor();
  const engineName = String(await engine.textContent());
  await grouping.selectOption("By version");
  await versions.getByRole("link", { name: "Version 1" }).click();
  const listed = page.getByRole("table", { name: "Calls" }).getByRole("link");
  await expect.poll(() => listed.allTextContents()).toEqual(["+15550100002", "+15550100001"]);

  await page.goto(`${url}/usage?agentId=${id}`);
  await page.getByRole("combobox", { name: "What the chart shows" }).selectOption("response");
  const chart = page.getByRole("slider", { name: "Response time per day" });
  await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/, Median .*s, 95% of the replies .*s$/);
  expect(await findBarriers(page)).toEqual([]);

  // Usage of one version and one engine: what they exclude is not counted.
  await page.getByRole("combobox", { name: "Version" }).selectOption("Version 1");
  await page.getByRole("combobox", { name: "Engine" }).selectOption(engineName);
  await page.waitForURL(/agentVersion=.*engine=/);
  await page.reload();
  await expect.poll(() => figures.textContent()).toContain("1 of 2 calls");
  await page.getByRole("combobox", { name: "Version" }).selectOption("Draft");
  await page.getByText(/^No test calls with these filters ended/).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.goto(url);
  await page.getByRole("table", { name: "Agent" }).getByRole("link", { name }).waitFor();
  await page.getByRole("combobox", { name: "Group by" }).selectOption("By engine");
  await page.getByRole("table", { name: "Engine" }).getByRole("link", { name: engineName }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("combobox", { name: "Agent" }).selectOption({ label: name });
  await page.getByRole("combobox", { name: "Version" }).selectOption("1");
  await page.waitForURL(/agentVersion=/);
  await page.reload();
  await expect
    .poll(() => page.getByRole("region", { name: "How calls ended" }).textContent())
    .toMatch(/busy.*1 · 50%/i);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("combobox", { name: "Version" }).selectOption("0");
  await page.getByText("Choose another period, another version or all agents.").waitFor();
  expect(complaints).toEqual([]);
});
