import type { Settings } from "@parley/contract/settings";
import { useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { accountQuery } from "../../../api/sign-in-state.ts";
import { createTestQueries, renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { settingsQuery } from "../use-save-settings.ts";
import { CallingHoursCard } from "./limits-page.tsx";

const SETTINGS: Settings = {
  dailySpendCap: null,
  callSpendCap: null,
  destinationSpendCap: null,
  creditLowAt: "1.00",
  callingHours: null,
  retentionDays: null,
  disclosure: null,
  pronunciations: [],
};

/** The card as its page shows it, beside something that shows the account. */
function Page() {
  useQuery(accountQuery);
  const { data } = useQuery(settingsQuery);
  return data ? <CallingHoursCard settings={data} /> : null;
}

test("hours are put back by an undo that comes before the page has heard of the account again", async () => {
  let saved = SETTINGS;
  const reply = async (address: string, { body }: RequestInit) => {
    // The account is never answered.
    if (!address.includes("/settings")) return new Promise<Response>(() => undefined);
    saved = { ...saved, ...JSON.parse(String(body)) };
    return Response.json({ data: saved });
  };
  vi.stubGlobal("fetch", vi.fn(reply));
  const queries = createTestQueries();
  queries.setQueryData(settingsQuery.queryKey, SETTINGS);
  queries.setQueryData(accountQuery.queryKey, {} as never);
  renderWithQueries(<Page />, queries);
  await userEvent.click(screen.getByLabelText("Narrower hours for this account"));
  await userEvent.click(screen.getByRole("button", { name: "Save calling hours" }));
  await userEvent.click(await screen.findByRole("button", { name: /Undo/ }));
  await expect.poll(() => saved.callingHours).toBeNull();
  await expect.poll(() => screen.queryByLabelText("From")).toBeNull();
});
