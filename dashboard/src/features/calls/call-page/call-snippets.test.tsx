import { type Call, NewCall } from "@parley/contract/calls";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { ToastProvider } from "../../../ui/feedback/toast.tsx";
import { CallSnippets } from "./call-snippets.tsx";

const AGENT = "agt_01k00000000000000000000000";
const CALL = {
  ...{ id: "call_01k00000000000000000000000", phoneNumber: "+15550100001", agentId: AGENT, engine: "local" },
  ...{ from: null, variables: { first_name: "Ada" }, metadata: {} },
} as unknown as Call;

const show = (call: Call) =>
  render(
    <ToastProvider>
      <CallSnippets call={call} />
    </ToastProvider>,
  );
const codeIn = (name: string) => screen.getByRole("region", { name }).querySelector("code")?.textContent ?? "";

beforeEach(() => localStorage.clear());

test("the same call is placed again by a program, in every language, with its agent and values", async () => {
  show(CALL);
  for (const language of ["Node.js", "Python", "fetch", "curl"]) {
    await userEvent.click(screen.getByRole("radio", { name: language }));
    for (const part of ["/api/v1/calls", CALL.phoneNumber, AGENT, "first_name", "Ada"])
      expect(codeIn("Use from code")).toContain(part);
  }
  // What the API would be sent is a call that it accepts, without fields that were left empty.
  const body = JSON.parse(/-d '(.*)'/.exec(codeIn("Use from code"))?.[1] ?? "");
  expect(NewCall.parse(body)).toMatchObject({ phoneNumber: CALL.phoneNumber, agentId: AGENT, engine: "local" });
  expect(Object.keys(body)).toEqual(["phoneNumber", "agentId", "engine", "variables"]);
});

test("a caller id and metadata are part of it where the call has them", () => {
  show({ ...CALL, from: "+15550109999", metadata: { order: "17" } });
  expect(codeIn("Use from code")).toContain('"from":"+15550109999"');
  expect(codeIn("Use from code")).toContain('"metadata":{"order":"17"}');
});

test("this call is read by its id", async () => {
  show(CALL);
  await userEvent.click(screen.getByRole("radio", { name: "Read this call" }));
  expect(codeIn("Use from code")).toContain(`/api/v1/calls/${CALL.id}`);
  expect(codeIn("Use from code")).not.toContain("POST");
});
