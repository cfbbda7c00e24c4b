import { Flow, type FlowNode } from "@parley/contract/flow";
import { expect, it } from "vitest";
import { renameCollected } from "./rename-collected.ts";

const node = (given: object): FlowNode => given as FlowNode;
const flow = Flow.parse({
  schemaVersion: 1,
  variables: [],
  nodes: [
    { id: "start", type: "start", next: "check" },
    { id: "check", type: "subflow", agentId: "agt_01k8m3v9zq4t6w8y0a2c4e6g8j", version: 1, exits: [] },
    { id: "plain", type: "say", text: "Nothing is used here." },
    { id: "said", type: "say", text: "Born on {{ check__born }}, {{checked}}, {{check__mine}}." },
    {
      ...{ id: "which", type: "branch", otherwise: "said" },
      exits: [
        { when: 'collected.check__born == collected.check__mine or "collected.check__born" == "x"', next: "said" },
      ],
    },
    { id: "sum", type: "set", values: [{ saveAs: "check__mine", value: "year(collected.check__born)" }] },
    {
      ...{ id: "check__more", type: "subflow", exits: [] },
      inputs: [{ name: "born", value: "collected.check__born" }],
    },
    { id: "other", type: "say", text: "{{check__more__born}}" },
    {
      ...{ id: "send", type: "tool" },
      request: { method: "POST", url: "https://example.com/{{check__born}}", body: { born: ["{{check__born}}"] } },
    },
  ],
  tools: [
    {
      ...{ name: "look_up", description: "Of {{check__born}}." },
      request: { method: "GET", url: "https://example.com" },
    },
  ],
  settings: {
    translations: [{ language: "de", texts: { "Born on {{check__born}}.": "Geboren am {{check__born}}.", Yes: "Ja" } }],
  },
});

it("what a sub-flow collects is found under the new id of its node, everywhere it is used", () => {
  const renamed = renameCollected(flow, "check", "who");
  expect(renamed.nodes[3]).toEqual(
    node({ ...flow.nodes[3], text: "Born on {{who__born}}, {{checked}}, {{check__mine}}." }),
  );
  expect(renamed.nodes[4]).toMatchObject({
    exits: [{ when: 'collected.who__born == collected.check__mine or "collected.check__born" == "x"' }],
  });
  expect(renamed.nodes[5]).toMatchObject({ values: [{ saveAs: "check__mine", value: "year(collected.who__born)" }] });
  expect(renamed.nodes[6]).toMatchObject({ inputs: [{ name: "born", value: "collected.who__born" }] });
  expect(renamed.nodes[8]).toMatchObject({
    request: { url: "https://example.com/{{who__born}}", body: { born: ["{{who__born}}"] } },
  });
  expect(renamed.tools?.[0]?.description).toBe("Of {{who__born}}.");
  expect(renamed.settings?.translations?.[0]?.texts).toEqual({
    "Born on {{who__born}}.": "Geboren am {{who__born}}.",
    Yes: "Ja",
  });
});

it("names of other nodes and what does not use it stay as they are", () => {
  const renamed = renameCollected(flow, "check", "who");
  expect(renamed.nodes[2]).toBe(flow.nodes[2]);
  expect(renamed.nodes[7]).toEqual(flow.nodes[7]);
  expect(renameCollected(flow, "check__more", "more").nodes[7]).toMatchObject({ text: "{{more__born}}" });
});
