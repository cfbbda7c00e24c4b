import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../harness/api-client.ts";
import { GUIDE_PROGRAMS } from "./guide-programs.ts";
import { programsOf, ReaderProject, readDocument } from "./reader-project.ts";

let reader: ReaderProject;
beforeAll(async () => {
  reader = await ReaderProject.open();
}, 300_000);
afterAll(() => reader?.close());

/** Without Python, and without those that wait for another call: the long test has all. */
const QUICK = ["quick-start.sh", "quick-start.mjs", "quick-start-fetch.mjs", "call-list.mjs", "call-list-fetch.mjs"];
const ALSO_QUICK = ["add-webhook.mjs", "add-webhook-fetch.mjs", "find-words.mjs", "find-words-fetch.mjs"];

describe.each(Object.entries(GUIDE_PROGRAMS))("%s", (path, expected) => {
  test("has these programs", () => {
    expect([...programsOf(path).keys()]).toEqual(Object.keys(expected));
  });

  const quick = Object.entries(expected).filter(([name]) => [...QUICK, ...ALSO_QUICK].includes(name));
  test.each(quick)("does with %s what it says", async (name, printed) => {
    expect(await reader.run(name, programsOf(path).get(name) ?? "")).toMatch(printed);
  });
});

describe("the recipes", () => {
  const shell = (recipe: string) =>
    readDocument(`docs/recipes/${recipe}.md`).filter(({ language }) => language === "sh");
  const textOf = (recipe: string, name: string) => programsOf(`docs/recipes/${recipe}.md`).get(name) ?? "";
  const publish = (id: string) => ask(reader.url, `/api/v1/agents/${id}/publish`, { key: reader.key, method: "POST" });

  test("appointment reminders: a calendar is scheduled a day ahead, and once however often it is read", async () => {
    const hour = 60 * 60 * 1000;
    const stamp = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, "");
    const [example = ""] = readDocument("docs/recipes/appointment-reminders.md").map(({ text }) => text);
    const at = (ms: number, uid: string) => example.replace(/(?<=DTSTART:)\w+/, stamp(ms)).replace(/(?<=UID:).*/, uid);
    const now = Date.now();
    // One tomorrow, with a folded line; one that is over; one too far ahead.
    const calendar = [
      at(now + 25 * hour, "a@b").replace("Lovelace", "Love\r\n lace"),
      at(now - hour, "c@d"),
      at(now + 2400 * hour, "e@f"),
    ];
    writeFileSync(join(reader.project, "calendar.ics"), `BEGIN:VCALENDAR\r\n${calendar.join("")}END:VCALENDAR\r\n`);
    const first = await reader.run("remind.mjs", textOf("appointment-reminders", "remind.mjs"));
    expect(first).toMatch(/^call_\w+ \+15550100001 \S+Z\n$/);
    expect(await reader.run("remind.mjs", textOf("appointment-reminders", "remind.mjs"))).toBe(first);
    const { body } = await ask(reader.url, `/api/v1/calls/${first.split(" ")[0]}`, { key: reader.key });
    expect(body.data.variables).toMatchObject({ first_name: "Ada" });
    expect(Date.parse(body.data.scheduledAt) - now).toBeLessThanOrEqual(hour);
  });

  test("results in a spreadsheet: each analyzed call is one line, and a forged event is none", async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const target = await reader.start("to-spreadsheet.mjs", textOf("results-in-a-spreadsheet", "to-spreadsheet.mjs"), {
      WEBHOOK_SECRET: secret,
    });
    const call = {
      id: "call_1",
      phoneNumber: "+15550100001",
      endedAt: null,
      analysis: { outcome: 'a "b"', success: true },
    };
    const event = (id: string) => JSON.stringify({ id, type: "call.analyzed", data: { call } });
    const send = async (id: string, signedWith: string) => {
      const now = new Date();
      const headers = {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(signedWith).sign(id, now, event(id)),
      };
      return (await fetch(target, { method: "POST", headers, body: event(id) })).status;
    };
    const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    expect([await send("evt_1", secret), await send("evt_1", secret), await send("evt_2", other)]).toEqual([
      204, 204, 400,
    ]);
    const lines = readFileSync(join(reader.project, "calls.csv"), "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe(`"evt_1","call_1","'+15550100001","","a ""b""","true","{}"`);
    const [register] = shell("results-in-a-spreadsheet");
    expect(await reader.run("register.sh", register?.text ?? "")).toContain('"secret":"whsec_');
  });

  test("an agent that looks things up: the agent can be published, its scenario passes, and the tool checks signatures", async () => {
    const [create, addScenario] = shell("agent-with-tools");
    const id = JSON.parse(await reader.run("create.sh", create?.text ?? "")).data.id as string;
    expect((await publish(id)).body).toMatchObject({ success: true });
    await reader.run("scenario.sh", (addScenario?.text ?? "").replace("agt_...", id));
    const ran = await ask(reader.url, `/api/v1/agents/${id}/scenarios/run`, { key: reader.key, body: { on: "text" } });
    expect(ran.body.data.results, JSON.stringify(ran.body.data.results)).toMatchObject([{ status: "passed" }]);

    const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    const target = await reader.start("slots.mjs", textOf("agent-with-tools", "slots.mjs"), { TOOL_SECRET: secret });
    const body = JSON.stringify({ day: "2026-02-03" });
    const now = new Date();
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("msg_1", now, body),
    };
    const answer = await fetch(target, { method: "POST", headers, body });
    expect(await answer.json()).toEqual({ time: "14:30" });
    expect((await fetch(target, { method: "POST", body })).status).toBe(401);
  });

  test("transfer to a desk: the agent is published and called", async () => {
    const [create, publishAndCall] = shell("transfer-to-a-desk");
    const id = JSON.parse(await reader.run("create-desk.sh", create?.text ?? "")).data.id as string;
    const printed = await reader.run("call-desk.sh", (publishAndCall?.text ?? "").replaceAll("agt_...", id));
    expect(printed).toMatch(/"status":"initiated"/);
  });
});
