import type { Engine } from "@parley/contract/engines";
import type { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { agentsQuery, enginesQuery } from "../../agents/agent-list-query.ts";
import { NewCallDialog } from "./new-call-dialog.tsx";
import { type CallVariable, callCheckQuery, callVariablesQuery } from "./new-call-queries.ts";

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

const VARIABLES: readonly CallVariable[] = [
  { name: "first_name", isRequired: true, example: "Ada" },
  { name: "order", isRequired: false, example: null },
];

async function renderDialog(...answers: Response[]) {
  const queries = createTestQueries();
  queries.setQueryData(callVariablesQuery({ id: "agent_1", publishedVersion: 1 }).queryKey, VARIABLES);
  return renderWith(queries, async () => answers.shift() ?? error([]));
}

async function renderWith(queries: QueryClient, reply: (address: string) => Promise<Response>) {
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
  const fetched = vi.fn(async (address: string, _init: RequestInit) =>
    address.includes("/check") ? error([]) : reply(address),
  );
  vi.stubGlobal("fetch", fetched);
  const root = createRootRoute({ component: () => <NewCallDialog onClose={() => undefined} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory({ initialEntries: ["/"] }) });
  renderWithQueries(<RouterProvider router={router as never} />, queries);
  const dialog = await screen.findByRole("dialog", { name: "New call" });
  // The page around a dialog ignores the pointer, and the dialog itself does until it is the topmost layer.
  await expect.poll(() => dialog.style.pointerEvents).toBe("auto");
  const requests = () =>
    fetched.mock.calls
      .filter(([address, { method }]) => method === "POST" && !String(address).includes("/check"))
      .map(([, init]) => ({
        body: JSON.parse(String(init.body)) as Record<string, unknown>,
        key: new Headers(init.headers).get("idempotency-key"),
      }));
  return { requests, queries };
}

const callNow = () => userEvent.click(screen.getByRole("button", { name: "Call now" }));

const GREETING = {
  schemaVersion: 1,
  variables: ["first_name"],
  nodes: [
    { id: "start", type: "start", next: "bye" },
    { id: "bye", type: "end", text: "Goodbye {{first_name}}." },
  ],
};
const GIVEN = { variables: { first_name: "Ada" } };

test("a number is sent without the spaces, brackets and dashes that people write", async () => {
  const { requests } = await renderDialog();
  const number = screen.getByLabelText("Phone number");
  await userEvent.clear(number);
  await userEvent.type(number, "+1 (555) 010-0001");
  await callNow();
  await expect.poll(() => requests().length).toBe(1);
  expect(requests()[0]?.body).toEqual({ phoneNumber: "+15550100001", agentId: "agent_1", ...GIVEN });
});

test("the variables of the agent are fields: examples fill them in test mode, and required ones must be filled", async () => {
  const { requests } = await renderDialog();
  const name = screen.getByLabelText("First name") as HTMLInputElement;
  expect(name.value).toBe("Ada");
  await userEvent.clear(name);
  await callNow();
  await screen.findByText(/^Required/);
  expect(requests()).toEqual([]);
  expect(screen.getByLabelText(/^Call without the missing values/)).toBeTruthy();
  await userEvent.type(name, "Grace");
  await userEvent.type(screen.getByLabelText("Order (optional)"), "17");
  await callNow();
  await expect.poll(() => requests().length).toBe(1);
  expect(requests()[0]?.body["variables"]).toEqual({ first_name: "Grace", order: "17" });
});

test("a call that is requested before the variables of the agent are known is placed with them", async () => {
  const version = Promise.withResolvers<Response>();
  const { requests } = await renderWith(createTestQueries(), async (address) => {
    if (address.includes("/versions/")) return version.promise;
    return address.includes("/scenarios") ? Response.json({ data: [], nextCursor: null }) : error([]);
  });
  await callNow();
  expect(requests()).toEqual([]);
  version.resolve(Response.json({ data: { flow: GREETING } }));
  await expect.poll(() => requests().length).toBe(1);
  expect(requests()[0]?.body["variables"]).toEqual({ first_name: "first name" });
});

test("a line of metadata that cannot be read is reported, and nobody is called", async () => {
  const { requests } = await renderDialog();
  await userEvent.click(screen.getByText("More options"));
  const metadata = screen.getByLabelText("Metadata (optional)");
  await userEvent.type(metadata, "order=4711{Enter}nonsense");
  await callNow();
  await screen.findByText(/^Line 2 has no equals sign/);
  expect(requests()).toEqual([]);
  await userEvent.type(metadata, "=yes");
  await callNow();
  await expect.poll(() => requests().length).toBe(1);
  expect(requests()[0]?.body["metadata"]).toEqual({ order: "4711", nonsense: "yes" });
});

test("a number that is none is refused before anything is sent", async () => {
  const { requests } = await renderDialog();
  const number = screen.getByLabelText("Phone number");
  await userEvent.clear(number);
  await userEvent.type(number, "555 0100");
  await callNow();
  await screen.findByText(/Enter the number with its country code/);
  expect(requests()).toEqual([]);
});

test("a call is scheduled, with the caller id that was typed", async () => {
  const { requests } = await renderDialog();
  await userEvent.click(screen.getByText("More options"));
  const time = screen.getByLabelText("Call at (optional)");
  await userEvent.type(time, "2020-01-01T10:00");
  await userEvent.click(screen.getByRole("button", { name: "Schedule call" }));
  await screen.findByText("Choose a time in the future.");
  await userEvent.clear(time);
  await userEvent.type(time, "2099-01-01T10:00");
  await userEvent.type(screen.getByLabelText("Caller ID (optional)"), "+1 555 010 0099");
  await userEvent.click(screen.getByRole("button", { name: "Schedule call" }));
  await expect.poll(() => requests().length).toBe(1);
  expect(requests()[0]?.body).toMatchObject({
    from: "+15550100099",
    scheduledAt: new Date("2099-01-01T10:00").toISOString(),
  });
});

test("what a call would meet is shown before it is placed", async () => {
  const check = {
    ...{ phoneNumber: "+15550100001", country: "DE", network: "simulated", waitsUntil: null },
    gate: { decision: "refused", reasons: ["suppressed"] },
    localTimes: [{ timeZone: "Europe/Berlin", localTime: "2026-01-31T10:30:00" }],
    price: {
      prefix: "+49",
      routePerMinute: "0.02",
      enginePerMinute: "0.01",
      totalPerMinute: "0.03",
      currency: "USD",
      charged: true,
    },
  } as const;
  const { queries } = await renderDialog();
  queries.setQueryData(callCheckQuery("test", "+15550100001", "local").queryKey, check as never);
  await screen.findByText(/can’t be called: It is on the suppression list/);
  screen.getByText("Germany · local time 10:30 AM · $0.03 per minute");
});

test("the same input sent again has the same idempotency key, other input another: no one is called twice", async () => {
  const { requests } = await renderDialog();
  await callNow();
  await expect.poll(() => requests().length).toBe(1);
  await screen.findByRole("alert");
  await callNow();
  await expect.poll(() => requests().length).toBe(2);
  await userEvent.type(screen.getByLabelText("First name"), " Lovelace");
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
  expect(screen.getByRole("option", { name: "The agent’s engine (local)" })).toBeTruthy();
});

test("an engine that does not speak the language of the agent is reported until another one is chosen", async () => {
  await renderDialog();
  expect(screen.getByText(/The engine local does not speak German/).textContent).toContain("deepgram-elevenlabs");
  await userEvent.selectOptions(screen.getByLabelText("Engine"), "deepgram-elevenlabs");
  expect(screen.queryByText(/does not speak German/)).toBeNull();
});
