import type { Engine } from "@parley/contract/engines";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../testing/render-with-queries.tsx";
import { agentsQuery, enginesQuery } from "../agents/agent-list-query.ts";
import { NewCallDialog } from "./new-call-dialog.tsx";

const error = (details: object[]) =>
  Response.json(
    {
      error: { code: "validation_failed", message: "Check the fields.", retryable: false, details, requestId: "req_1" },
    },
    { status: 400 },
  );

const engine = (name: string, changes: Partial<Engine> = {}): Engine => ({
  name,
  description: "",
  available: true,
  missing: [],
  isDefault: false,
  languages: ["en"],
  speech: [],
  recognition: [],
  synthesis: [],
  model: null,
  ...changes,
});

async function renderDialog(...answers: Response[]) {
  const queries = createTestQueries();
  queries.setQueryData(agentsQuery.queryKey, [
    { id: "agent_1", name: "Reminder", publishedVersion: 1, engine: null, language: "de-DE" },
  ] as never);
  queries.setQueryData(enginesQuery.queryKey, [
    engine("local", { isDefault: true }),
    engine("deepgram-elevenlabs", { languages: ["de", "en"] }),
    engine("deepgram-cartesia", {
      available: false,
      synthesis: [{ provider: "cartesia", model: null, voice: null, available: false }],
    }),
  ]);
  const fetched = vi.fn(async (_address: string, _init: RequestInit) => answers.shift() ?? error([]));
  vi.stubGlobal("fetch", fetched);
  const root = createRootRoute({ component: () => <NewCallDialog onClose={() => undefined} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ["/"] }) });
  renderWithQueries(<RouterProvider router={router as never} />, queries);
  const dialog = await screen.findByRole("dialog", { name: "New call" });
  // The page around a dialog ignores the pointer, and the dialog itself does until it is the topmost layer.
  await expect.poll(() => dialog.style.pointerEvents).toBe("auto");
  const requests = () =>
    fetched.mock.calls.map(([, init]) => ({
      body: JSON.parse(String(init.body)) as Record<string, unknown>,
      key: new Headers(init.headers).get("idempotency-key"),
    }));
  return { requests };
}

const callNow = () => userEvent.click(screen.getByRole("button", { name: "Call now" }));

test("a number is sent without the spaces, brackets and dashes that people write", async () => {
  const { requests } = await renderDialog();
  const number = screen.getByLabelText("Phone number");
  await userEvent.clear(number);
  await userEvent.type(number, "+1 (555) 010-0001");
  await callNow();
  await expect.poll(() => requests().length).toBe(1);
  expect(requests()[0]?.body).toEqual({ phoneNumber: "+15550100001", agentId: "agent_1" });
});

test("variables are read line by line, and only the first equals sign separates", async () => {
  const { requests } = await renderDialog();
  await userEvent.type(
    screen.getByLabelText("Variables (optional)"),
    "first_name=Ada{Enter}formula=a=b{Enter}nonsense",
  );
  await callNow();
  await expect.poll(() => requests().length).toBe(1);
  expect(requests()[0]?.body["variables"]).toEqual({ first_name: "Ada", formula: "a=b" });
});

test("the same input sent again has the same idempotency key, other input another: no one is called twice", async () => {
  const { requests } = await renderDialog();
  await callNow();
  await expect.poll(() => requests().length).toBe(1);
  await screen.findByRole("alert");
  await callNow();
  await expect.poll(() => requests().length).toBe(2);
  await userEvent.type(screen.getByLabelText("Variables (optional)"), "first_name=Ada");
  await callNow();
  await expect.poll(() => requests().length).toBe(3);
  const [first, second, third] = requests();
  expect(first?.key).toBeTruthy();
  expect(second?.key).toBe(first?.key);
  expect(third?.key).not.toBe(first?.key);
});

test("an error of the service about a field is shown at that field", async () => {
  const { requests } = await renderDialog(error([{ param: "phoneNumber", message: "must be in E.164 form" }]));
  await callNow();
  await expect.poll(() => requests().length).toBe(1);
  const note = await screen.findByText("must be in E.164 form");
  expect(screen.getByLabelText("Phone number").getAttribute("aria-describedby")).toBe(note.id);
  expect(screen.queryByText("Check the fields.")).toBeNull();
});

test("engines that are not set up are listed with what they lack, and cannot be chosen", async () => {
  await renderDialog();
  const option = screen.getByRole("option", { name: "deepgram-cartesia (needs cartesia)" });
  expect(option).toHaveProperty("disabled", true);
  expect(screen.getByRole("option", { name: "The agent's engine (local)" })).toBeTruthy();
});

test("an engine that does not speak the language of the agent is reported until another one is chosen", async () => {
  await renderDialog();
  expect(screen.getByText(/The engine local does not speak German/).textContent).toContain("deepgram-elevenlabs");
  await userEvent.selectOptions(screen.getByLabelText("Engine"), "deepgram-elevenlabs");
  expect(screen.queryByText(/does not speak German/)).toBeNull();
});
