import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { wavHeader } from "@parley/audio/wav-header";
import type { Flow } from "@parley/contract/flow";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { completeCall } from "../../harness/calls.ts";
import { makeDataFolder } from "../../harness/data-folder.ts";
import { readFirstRun } from "../../harness/service-process.ts";
import { type OpenBuilder, openBuilder } from "../builder-view.ts";
import { looksOfJourney } from "../looks.ts";
import { type DashboardScene, openDashboard } from "../visitor.ts";
import { type AtPage, sitDown } from "./keyboard-scene.ts";

const FLOW: Flow = {
  schemaVersion: 1,
  variables: [],
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", next: "come" },
    {
      ...{ id: "come", type: "ask", text: "Will you come on Tuesday?", answer: "yes_no" },
      ...{ exits: [{ when: "yes", next: "bye" }], otherwise: "bye" },
    },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};

const RATE_HZ = 16_000;

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let scene: DashboardScene;
beforeAll(async () => {
  folder = await makeDataFolder();
  const microphoneFile = join(folder.path, "nothing-said.wav");
  const silence = Buffer.alloc(2 * RATE_HZ);
  const header = wavHeader({ sampleRateHz: RATE_HZ, channels: 1 }, silence.length);
  await writeFile(microphoneFile, Buffer.concat([header, silence]));
  scene = await openDashboard({ PARLEY_CONVERSATION_THREADS: "1" }, "before", { microphoneFile });
  // The first call waits for the speech models.
  await completeCall({ url: scene.service.url, ...(await readFirstRun(scene.service)) });
});
afterAll(async () => {
  await scene?.close();
  await folder?.remove();
});

describe.each(looksOfJourney({ theme: "dark", width: 390 }))("$theme, $width px wide", (look) => {
  let builder: OpenBuilder;
  let at: AtPage;

  beforeAll(async () => {
    builder = await openBuilder(scene, look, { name: "Talked with", flow: FLOW });
    at = await sitDown(scene.service.url, builder);
  });
  afterEach(() => expect(at.keys.takeFaults()).toEqual([]));

  test("a talk with the agent is started, walked through, ended, and started again", async () => {
    const { page, keys, open, button, tab, chosen, said, isSomewhere } = at;
    const { view } = builder;
    await open(`/agents/${builder.agentId}/build`, view.card("Come"));
    await keys.to(tab("Node"));
    await keys.press("ArrowRight");
    await chosen("Try");
    await keys.to(page.getByRole("radio", { name: "Text" }));
    await keys.arrow("ArrowRight", page.getByRole("radio", { name: "Voice" }));
    await keys.enter(button("Start talking"));
    await said("On the line");
    await isSomewhere();
    await view.said.getByText("Will you come on Tuesday?").waitFor();
    await keys.walk();
    await keys.enter(button("Hang up"));
    await view.panel.getByText("Over", { exact: true }).waitFor();
    await isSomewhere();
    await keys.walk();
    await keys.enter(button("Talk again"));
    await said("On the line");
    await isSomewhere();
    await keys.enter(button("Hang up"));
    await view.panel.getByText("Over", { exact: true }).waitFor();
    expect(at.complaints).toEqual([]);
  });
});
