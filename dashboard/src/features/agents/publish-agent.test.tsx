import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../testing/render-with-queries.tsx";
import { PublishDialog } from "./agent-page.tsx";

vi.mock("@tanstack/react-router", () => ({ Link: () => null, getRouteApi: () => ({}) }));

const flow: Flow = {
  schemaVersion: 1,
  variables: [],
  nodes: [
    { id: "start", type: "start", next: "ask" },
    {
      ...{ id: "ask", type: "ask", label: "Which pizza?", text: "Which pizza?", answer: "choice" },
      exits: [{ when: "Hawaii" }, { when: "hawaii", next: "start" }],
      otherwise: "nowhere",
    },
  ],
};
const agent = { id: "agt_1", name: "Pizza", revision: 3, publishedVersion: null, flow } as unknown as Agent;

function publish(reply: () => Response) {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => reply()),
  );
  renderWithQueries(<PublishDialog agent={agent} onClose={() => undefined} />);
  return userEvent.click(screen.getByRole("button", { name: "Publish" }));
}

test("what keeps an agent from being published is said with the titles of its nodes, not their ids", async () => {
  const compiled = compileFlow(flow);
  const problems = compiled.ok ? [] : compiled.problems;
  const details = [
    ...problems.map(({ path, code, message, parts = {} }) => ({ param: `flow.${path}`, code, message, parts })),
    { param: "flow.settings.voice", code: "unknown_voice", message: "There is no voice of that name." },
  ];
  const error = {
    code: "invalid_flow",
    message: "It cannot.",
    requestId: "req_1",
    docUrl: "",
    retryable: false,
    details,
  };
  await publish(() => Response.json({ success: false, error }, { status: 422 }));
  const listed = (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
  expect(listed).toContain("Which pizza?: Choose where “Hawaii” leads.");
  // What the compiler does not find is said as the service says it.
  expect(listed).toContain("There is no voice of that name.");
  expect(listed.filter((line) => /exits\[|node ask/.test(line ?? ""))).toEqual([]);
  expect(listed).toHaveLength(details.length);
});

test("so is the first warning after it was published", async () => {
  const parts = { phrase: "sure", exit: "Hawaii", other: "" };
  const message = 'The node ask may ask back when the callee says "sure" for the exit "Hawaii".';
  const warnings = [{ param: "flow.nodes[1].exits[0].phrases[0]", code: "misunderstood_phrase", message, parts }];
  await publish(() => Response.json({ success: true, data: { version: 1, warnings } }));
  await screen.findByText(/Which pizza\?: The agent may ask back when the callee says “sure” for “Hawaii”/);
});
