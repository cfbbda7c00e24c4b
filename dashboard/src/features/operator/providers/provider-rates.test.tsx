import type { ProviderRate } from "@parley/contract/engines";
import type { Provider } from "@parley/contract/providers";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { ProviderRates } from "./provider-rates.tsx";

const DEEPGRAM = {
  name: "deepgram",
  title: "Deepgram",
  source: "operator",
  billedUnits: [
    { provider: "deepgram", unit: "recognition_minute" },
    { provider: "deepgram", unit: "synthesis_1000_characters" },
  ],
} as Provider;
const OPENAI = {
  name: "openai",
  title: "OpenAI",
  source: null,
  billedUnits: [
    { provider: "openai", unit: "input_1m_tokens" },
    { provider: "openai-realtime", unit: "input_1m_tokens" },
  ],
} as Provider;

let stored: ProviderRate[];
let refusal: object | null;

beforeEach(() => {
  stored = [{ provider: "deepgram", unit: "recognition_minute", price: "0.0043" }];
  refusal = null;
  const reply = async (_address: string, { body }: RequestInit = {}) => {
    if (body) {
      if (refusal) return Response.json({ error: refusal }, { status: 422 });
      const { provider, unit, price } = JSON.parse(String(body));
      stored = stored.filter((rate) => rate.provider !== provider || rate.unit !== unit);
      if (price !== null) stored.push({ provider, unit, price });
    }
    return Response.json({ data: stored });
  };
  vi.stubGlobal("fetch", vi.fn(reply));
});
afterEach(() => vi.unstubAllGlobals());

const show = (...providers: Provider[]) => renderWithQueries(<ProviderRates providers={providers} />);
const rows = async () => {
  const table = await screen.findByRole("table", { name: "What providers charge you" });
  return within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.textContent);
};
const change = (line: string) => userEvent.click(screen.getByRole("button", { name: `Change the price of ${line}` }));

test("every unit that a connected provider charges for has a line, also without a price", async () => {
  show(DEEPGRAM, OPENAI);
  expect(await rows()).toEqual(["Deepgramminute of audio0.0043", "Deepgram1,000 characters spokennot set"]);
});

test("a price stays visible when its provider is disconnected, and a speech-to-speech model has its own name", async () => {
  stored = [{ provider: "openai-realtime", unit: "input_1m_tokens", price: "0.60" }];
  show(OPENAI);
  expect(await rows()).toEqual(["openai-realtime1 million input tokens0.60"]);
});

test("nothing is shown where no provider is connected and no price is set", async () => {
  stored = [];
  show(OPENAI);
  await screen.findByText("What providers charge you");
  await expect.poll(() => screen.queryByText("What providers charge you")).toBeNull();
});

test("a price is set for one unit and put back with Undo", async () => {
  show(DEEPGRAM);
  await rows();
  await change("Deepgram: 1,000 characters spoken");
  await userEvent.type(screen.getByLabelText("USD per 1,000 characters spoken"), " $0.03 ");
  await userEvent.click(screen.getByRole("button", { name: "Save the price" }));
  await expect
    .poll(() => stored)
    .toContainEqual({
      provider: "deepgram",
      unit: "synthesis_1000_characters",
      price: "0.03",
    });
  expect(stored).toHaveLength(2);
  await expect.poll(rows).toContain("Deepgram1,000 characters spoken0.03");
  await userEvent.click(await screen.findByRole("button", { name: /Undo/ }));
  await expect.poll(rows).toContain("Deepgram1,000 characters spokennot set");
});

test("an empty price removes the rate", async () => {
  show(DEEPGRAM);
  await rows();
  await change("Deepgram: minute of audio");
  await userEvent.clear(screen.getByLabelText("USD per minute of audio"));
  await userEvent.click(screen.getByRole("button", { name: "Save the price" }));
  await expect.poll(() => stored).toEqual([]);
});

test("a price that is refused is explained at its field, and the dialog stays open", async () => {
  refusal = {
    code: "validation_failed",
    message: "The request is not valid.",
    details: [{ param: "price", code: "invalid", message: "price must be a decimal amount in USD." }],
  };
  show(DEEPGRAM);
  await rows();
  await change("Deepgram: minute of audio");
  await userEvent.type(screen.getByLabelText("USD per minute of audio"), "cheap");
  await userEvent.click(screen.getByRole("button", { name: "Save the price" }));
  await screen.findByText(/must be a decimal amount in USD/);
  expect(screen.getByRole("dialog")).toBeTruthy();
});
