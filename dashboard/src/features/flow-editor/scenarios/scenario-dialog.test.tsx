import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { smallFlow } from "../model/testing/small-flow.ts";
import { ScenarioDialog } from "./scenario-dialog.tsx";

function renderDialog(answer: () => Response = () => Response.json({ data: {} })) {
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => answer());
  vi.stubGlobal("fetch", fetched);
  const onClose = vi.fn();
  renderWithQueries(<ScenarioDialog agentId="agent_1" flow={smallFlow()} scenario={null} onClose={onClose} />);
  return { fetched, onClose };
}

const save = () => screen.getByRole("button", { name: "Save" });

test("a new scenario says what is missing until it can be saved", async () => {
  const { fetched } = renderDialog();
  expect(screen.getByText("Enter a name.")).toBeDefined();
  await userEvent.type(screen.getByLabelText("Name"), "Wants another day");
  expect(screen.getByText("Enter what the callee says.")).toBeDefined();
  await userEvent.click(save());
  expect(fetched).not.toHaveBeenCalled();
  await userEvent.type(screen.getByLabelText("Words of step 1"), "Not on Tuesday");
  expect(screen.queryByText("Enter what the callee says.")).toBeNull();
  expect(save().getAttribute("aria-disabled")).toBeNull();
});

test("saving sends what was written and closes the dialog", async () => {
  const { fetched, onClose } = renderDialog();
  await userEvent.type(screen.getByLabelText("Name"), "Hangs up");
  await userEvent.type(screen.getByLabelText("Words of step 1"), "No");
  await userEvent.click(screen.getByRole("button", { name: "Add a step" }));
  await userEvent.selectOptions(screen.getByLabelText("Step 2"), "hangUp");
  await userEvent.click(save());
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  const [address, init] = fetched.mock.calls[0] ?? [];
  expect(address).toBe("/api/v1/agents/agent_1/scenarios");
  expect(JSON.parse(String(init?.body))).toMatchObject({
    name: "Hangs up",
    steps: [{ say: "No" }, { hangUp: true }],
    expect: [{ type: "ended", reason: "agent_hangup" }],
  });
});

test("after hanging up the callee does nothing more: no step can be added", async () => {
  renderDialog();
  await userEvent.selectOptions(screen.getByLabelText("Step 1"), "hangUp");
  expect(screen.queryByRole("button", { name: "Add a step" })).toBeNull();
});

test("the text of a step stays when saying becomes interrupting", async () => {
  renderDialog();
  await userEvent.type(screen.getByLabelText("Words of step 1"), "Wait");
  await userEvent.selectOptions(screen.getByLabelText("Step 1"), "interrupt");
  expect((screen.getByLabelText("Words of step 1") as HTMLInputElement).value).toBe("Wait");
});

test("removing a step removes that one and keeps the others", async () => {
  renderDialog();
  await userEvent.type(screen.getByLabelText("Words of step 1"), "First");
  await userEvent.click(screen.getByRole("button", { name: "Add a step" }));
  await userEvent.type(screen.getByLabelText("Words of step 2"), "Second");
  await userEvent.click(screen.getByRole("button", { name: "Remove step 1" }));
  expect((screen.getByLabelText("Words of step 1") as HTMLInputElement).value).toBe("Second");
  expect(screen.queryByLabelText("Words of step 2")).toBeNull();
});

test("an error of the service is shown, and what was written stays", async () => {
  const { onClose } = renderDialog(() => new Response("<html>", { status: 502 }));
  await userEvent.type(screen.getByLabelText("Name"), "Says no");
  await userEvent.type(screen.getByLabelText("Words of step 1"), "No");
  await userEvent.click(save());
  expect((await screen.findByRole("alert")).textContent).toContain("could not be reached");
  expect((screen.getByLabelText("Name") as HTMLInputElement).value).toBe("Says no");
  expect(onClose).not.toHaveBeenCalled();
});
