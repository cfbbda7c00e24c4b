import { type ModelServer, startModelServer } from "@parley/providers/testing/model-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBarriers } from "../harness/browser.ts";
import { type OpenBuilder, openBuilder } from "./builder-view.ts";
import { looksOfJourney } from "./looks.ts";
import { type DashboardScene, openDashboard } from "./visitor.ts";

const DESCRIPTION = "Call patients the day before their appointment and ask whether they will come.";

const GOOD = {
  schemaVersion: 1,
  settings: { disclosure: null },
  nodes: [
    { id: "start", type: "start", next: "coming" },
    {
      ...{ id: "coming", type: "ask", label: "Coming?", text: "Will you come tomorrow?", answer: "yes_no" },
      exits: [
        { when: "yes", next: "bye" },
        { when: "no", next: "bye" },
      ],
      otherwise: "bye",
    },
    { id: "bye", type: "end", label: "Goodbye", text: "Thank you. Goodbye." },
  ],
};
/** One that the compiler refuses: its question leads to a node that is not there. */
const BROKEN = { ...GOOD, nodes: GOOD.nodes.slice(0, 2) };

let models: ModelServer;
let scene: DashboardScene;

beforeAll(async () => {
  models = await startModelServer();
  scene = await openDashboard({
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_MODEL_URL: `${models.url}/v1`,
    PARLEY_MODEL_NAME: "large",
  });
});
afterAll(async () => {
  await scene?.close();
  await models?.close();
});

const writes = (text: string) => models.plan({ type: "stream", moves: [{ type: "text", text }, { type: "end" }] });

describe.each(looksOfJourney({ theme: "light", width: 390 }))("$theme, $width px wide", (look) => {
  let builder: OpenBuilder;

  // One person has an agent written: each step builds on the previous one.
  beforeAll(async () => {
    builder = await openBuilder(scene, look, { name: "Described" });
  });

  const dialog = () => builder.page.getByRole("dialog", { name: "Describe your agent" });
  async function describeIt(): Promise<void> {
    await dialog().getByLabel("What should it do?").fill(DESCRIPTION);
    await dialog().getByRole("button", { name: "Write the draft" }).click();
  }

  test("a model that fails is reported in plain words, and the description is still there", async () => {
    const { view, page } = builder;
    await view.button("Describe it").click();
    await dialog().getByLabel("What should it do?").fill("Too short");
    expect(await dialog().getByRole("button", { name: "Write the draft" }).isDisabled()).toBe(true);
    models.plan({ type: "failure", status: 401, message: "sk-secret is not a key" });
    await describeIt();
    await dialog()
      .getByText("The language model refused the request. Ask an operator to check its key and its name.")
      .waitFor();
    expect(await page.content()).not.toContain("sk-secret");
    expect(await dialog().getByLabel("What should it do?").inputValue()).toBe(DESCRIPTION);
    expect(await findBarriers(page)).toEqual([]);
  });

  test("a model that writes no flow is asked to correct it, and reported when it cannot", async () => {
    const asked = models.requests.length;
    for (const words of ["I cannot do that.", "Still not.", "No."]) writes(words);
    await dialog().getByRole("button", { name: "Write the draft" }).click();
    await dialog().getByText("The language model did not write a flow that can be read. Try again.").waitFor();
    expect(models.requests.length - asked).toBe(3);
    expect((await builder.readFlow()).nodes).toEqual([]);
  });

  test("a draft with problems is laid out, and its problems are listed like any other", async () => {
    const { view, page } = builder;
    for (let attempt = 0; attempt < 3; attempt += 1) writes(JSON.stringify(BROKEN));
    await dialog().getByRole("button", { name: "Write the draft" }).click();
    await page.getByText("The draft is ready, but has problems to fix.").first().waitFor();
    await dialog().waitFor({ state: "detached" });
    await view.card("Coming?").waitFor();
    await view.judged(String.raw`\d+ problems.*`);
    expect(await view.button("Publish").isDisabled()).toBe(true);
  });

  test("the next draft replaces it after a warning, can be published, and is one undo away from the one before", async () => {
    const { view, page } = builder;
    await view.pickFromMore("Describe your agent");
    await dialog().getByText("The draft replaces the current flow. You can undo it.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const asked = models.requests.length;
    writes(`Here it is:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``);
    await describeIt();
    await page.getByText("The draft is ready. Review it and try it out.").first().waitFor();
    expect(JSON.stringify(models.requests.slice(asked))).toContain(DESCRIPTION);
    await view.card("Goodbye").waitFor();
    await view.judged("No problems");
    await view.saved();
    const { nodes } = await builder.readFlow();
    expect(nodes.map(({ id }) => id)).toEqual(["start", "coming", "bye"]);
    // Every node has a place of its own.
    expect(new Set(nodes.map(({ position }) => JSON.stringify(position))).size).toBe(3);
    await view.button("Undo").first().click();
    await view.card("Goodbye").waitFor({ state: "detached" });
    await view.button("Redo").click();
    await view.card("Goodbye").waitFor();
    await view.judged("No problems");
    await expect.poll(() => view.button("Publish").isDisabled()).toBe(false);
    // The browser itself logs the status of each refusal.
    expect(builder.complaints.filter((each) => !each.includes("status of 503"))).toEqual([]);
  });
});

test("without a model the dialog says what is missing, and nothing can be sent", async () => {
  const bare = await openDashboard();
  try {
    const { view, page, complaints } = await openBuilder(bare, { width: 390 }, { name: "Without a model" });
    await view.button("Describe it").click();
    const dialog = page.getByRole("dialog", { name: "Describe your agent" });
    await dialog.getByText("No language model is set up. Ask the operator of this installation to add one.").waitFor();
    await dialog.getByLabel("What should it do?").fill(DESCRIPTION);
    expect(await dialog.getByRole("button", { name: "Write the draft" }).isDisabled()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  } finally {
    await bare.close();
  }
});
