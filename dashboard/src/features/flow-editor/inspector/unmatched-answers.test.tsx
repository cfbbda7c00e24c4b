import type { AskNode } from "@parley/contract/flow-ask";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { UnmatchedAnswers } from "./unmatched-answers.tsx";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { readonly children: unknown }) => <span>{children as string}</span>,
}));

const ask: AskNode = {
  id: "coming",
  type: "ask",
  text: "Will you come?",
  answer: "yes_no",
  exits: [{ when: "yes" }, { when: "no", phrases: ["Rather not"] }],
};
const answers = [
  { text: "I'll be there.", times: 3, callId: "call_1", saidAt: "2026-01-01T00:00:00.000Z" },
  { text: "Rather not.", times: 1, callId: "call_2", saidAt: "2026-01-01T00:00:00.000Z" },
];

function show(node: AskNode) {
  vi.stubGlobal("fetch", async (address: string) =>
    Response.json({ success: true, data: { answers: address.includes("calls=all") ? answers : [] } }),
  );
  const onChange = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UnmatchedAnswers agentId="agent_1" ask={node} onChange={onChange} />
    </QueryClientProvider>,
  );
  return onChange;
}

test("what callees said, also to agents that use this one as a sub-flow, becomes a phrase of the answer they meant, and what is one already is not offered", async () => {
  const onChange = show(ask);
  await userEvent.selectOptions(await screen.findByLabelText("Add “I'll be there.” as a phrase"), "yes");
  expect(onChange.mock.calls[0]?.[0].exits[0]).toEqual({ when: "yes", phrases: ["I'll be there"] });
  expect(screen.queryByText(/Rather not/)).toBeNull();
});

test("a question for a date offers no phrases", () => {
  show({ ...ask, answer: "date", exits: [] });
  expect(screen.queryByText("Not understood in calls")).toBeNull();
});
