import type { Call } from "@parley/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { callQuery } from "../call-queries.ts";
import { AnalysisCard } from "./analysis-card.tsx";

type Analysis = NonNullable<Call["analysis"]>;

const BY_RULES: Analysis = {
  ...{ status: "ready", summary: null, outcome: "not_confirmed", success: false, fields: {}, labels: [], by: "rules" },
  model: null,
};
const callOf = (analysis: Partial<Analysis> | null) =>
  ({ id: "call_1", mode: "test", analysis: analysis && { ...BY_RULES, ...analysis } }) as Call;

function Shown() {
  const { data: call } = useQuery({ ...callQuery("test", "call_1"), enabled: false });
  return call ? <AnalysisCard call={call} /> : null;
}

function show(call: Call, reply: (address: string) => Promise<Response> = () => Promise.reject(new Error("offline"))) {
  const fetched = vi.fn((address: string, _init: RequestInit) => reply(address));
  vi.stubGlobal("fetch", fetched);
  const queries = createTestQueries();
  queries.setQueryData(callQuery("test", "call_1").queryKey, call);
  renderWithQueries(<Shown />, queries);
  return fetched;
}

const textOfCard = () => screen.getByRole("region", { name: "Analysis" }).textContent;

test("an analysis by rules has an outcome, whether it was a success, and names the flow as the judge", () => {
  show(callOf({}));
  for (const words of ["not confirmed", "Unsuccessful", "The agent’s flow"]) expect(textOfCard()).toContain(words);
  expect(textOfCard()).not.toContain("Labels");
});

test("an analysis by a model has its summary, its labels and the name of the model", () => {
  show(callOf({ summary: "Ada moved it.", labels: ["polite", "busy"], by: "model", model: "gpt-5", success: true }));
  for (const words of ["Ada moved it.", "polite, busy", "gpt-5", "Successful"]) expect(textOfCard()).toContain(words);
});

test("where no node declares success, none is shown", () => {
  show(callOf({ success: null }));
  expect(textOfCard()).not.toContain("Success");
});

test.each([null, { status: "off" as const }])(
  "a call that was not answered or was erased has no analysis: %o",
  (analysis) => {
    show(callOf(analysis));
    expect(screen.queryByRole("region", { name: "Analysis" })).toBeNull();
  },
);

test("a call in progress cannot be analyzed yet", () => {
  show(callOf({ status: "pending" }));
  expect(textOfCard()).toContain("Available when the call ends.");
  expect(screen.queryByRole("button")).toBeNull();
});

test("analyzing again says that it is at work, and shows the new outcome", async () => {
  const reply = Promise.withResolvers<Response>();
  const fetched = show(callOf({ status: "failed", outcome: null, by: null }), () => reply.promise);
  expect(textOfCard()).toContain("This call couldn’t be analyzed.");
  await userEvent.click(screen.getByRole("button", { name: "Analyze again" }));
  await screen.findByRole("button", { name: "Analyzing…" });
  expect(fetched.mock.calls.map(([address, { method }]) => `${method} ${address}`)).toEqual([
    "POST /api/v1/calls/call_1/analysis?mode=test",
  ]);
  reply.resolve(Response.json({ data: callOf({ outcome: "confirmed", success: true }) }));
  await screen.findByText("confirmed");
  await screen.findByText("The call was analyzed again.");
  await screen.findByRole("button", { name: "Analyze again" });
});

test("why a call cannot be analyzed again is said, and what is known stays", async () => {
  const message = "The transcript of the call was erased; there is nothing to analyze.";
  show(callOf({}), async () =>
    Response.json({ error: { code: "invalid_state", message, retryable: false, requestId: "req_1" } }, { status: 409 }),
  );
  await userEvent.click(screen.getByRole("button", { name: "Analyze again" }));
  expect((await screen.findByRole("alert")).textContent).toBe(message);
  expect(textOfCard()).toContain("not confirmed");
});
