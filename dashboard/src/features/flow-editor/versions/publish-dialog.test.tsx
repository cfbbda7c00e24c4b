import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { moveTo, replaceNode } from "../model/edit-flow.ts";
import { smallFlow } from "../model/testing/small-flow.ts";
import { useIsPublished } from "./publish-dialog.tsx";

const agent = { id: "agt_this", engine: null, language: "en-US", publishedVersion: 2 } as Agent;
const otherText = replaceNode(smallFlow(), { id: "bye", type: "end", text: "Bye." });

function show(shown: Agent, flow: Flow, reply: () => Response) {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => reply()),
  );
  function State() {
    return <output>{String(useIsPublished(shown, flow))}</output>;
  }
  renderWithQueries(<State />);
}

const version = () =>
  Response.json({ success: true, data: { version: 2, engine: null, language: "en-US", flow: smallFlow() } });

test.each([
  ["an unchanged draft is published already", agent, smallFlow(), "true"],
  [
    "a draft whose nodes were only moved makes no other call",
    agent,
    moveTo(smallFlow(), new Map([["bye", { x: 9, y: 9 }]])),
    "true",
  ],
  ["a changed text can be published", agent, otherText, "false"],
  ["another language can be published", { ...agent, language: "de-DE" }, smallFlow(), "false"],
  ["another engine can be published", { ...agent, engine: "local" }, smallFlow(), "false"],
  ["an agent without a version can be published", { ...agent, publishedVersion: null }, smallFlow(), "false"],
] as const)("%s", async (_, shown, flow, expected) => {
  show(shown, flow, version);
  await screen.findByText(expected);
});

test("until the published version is known nothing is said, and an error forbids nothing", async () => {
  show(agent, smallFlow(), () =>
    Response.json({ success: false, error: { code: "not_found", message: "No." } }, { status: 404 }),
  );
  expect(screen.getByRole("status").textContent).toBe("null");
  await screen.findByText("false");
});
