import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { UsageChart } from "./usage-chart.tsx";

const DAYS = ["Mon", "Tue", "Wed"];

const CALLS = {
  ...{ title: "Calls per day", periodName: "Calls in the whole period" },
  layers: [
    { name: "Completed", place: 0, values: [3, 0, 4] },
    { name: "All others", place: undefined, values: [1, 0, 0] },
  ],
};
const RESPONSE_TIMES = {
  ...{ title: "Response time per day", periodName: "Response time in the whole period", shape: "lines" as const },
  layers: [
    { name: "Median", place: 0, whole: 650, values: [600, null, 700] },
    { name: "95%", place: undefined, whole: 1400, values: [1300, null, 1500] },
  ],
};

async function renderChart(shown: typeof CALLS | typeof RESPONSE_TIMES = CALLS) {
  const root = createRootRoute({
    component: () => (
      <UsageChart
        {...shown}
        bucket="day"
        buckets={DAYS.map((day) => ({ label: day, longLabel: `${day}, Jun 1`, calls: { search: day } }))}
        format={String}
      />
    ),
  });
  const calls = createRoute({ getParentRoute: () => root, path: "/calls" });
  const router = createRouter({ routeTree: root.addChildren([calls]), history: createMemoryHistory() });
  render(<RouterProvider router={router as never} />);
  return screen.findByRole("slider", { name: shown.title });
}

test("the arrow keys read the chart bar by bar, and stop at its ends", async () => {
  const chart = await renderChart();
  const said = () => chart.getAttribute("aria-valuetext");
  expect(screen.getByText("Calls in the whole period: 8")).toBeTruthy();
  await userEvent.tab();
  expect(document.activeElement).toBe(chart);
  expect(said()).toBe("Wed, Jun 1, 4: Completed 4");
  expect(screen.getByText("Wed, Jun 1: 4")).toBeTruthy();
  await userEvent.keyboard("{ArrowRight}{ArrowLeft}");
  expect(said()).toBe("Tue, Jun 1, 0");
  await userEvent.keyboard("{Home}{ArrowLeft}");
  expect(said()).toBe("Mon, Jun 1, 4: Completed 3, All others 1");
  expect(chart.getAttribute("aria-valuenow")).toBe("1");
});

test("the same data is a table whose rows lead to the calls", async () => {
  await renderChart();
  const table = screen.getByRole("table", { name: "Calls per day", hidden: true });
  const cells = within(table)
    .getAllByRole("row", { hidden: true })
    .map(({ textContent }) => textContent);
  expect(cells).toEqual(["DayTotalCompletedAll others", "Mon, Jun 1431", "Tue, Jun 1000", "Wed, Jun 1440"]);
  const link = () => within(table).getByRole("link", { name: "Mon, Jun 1", hidden: true });
  // The address is complete when the router has loaded its routes.
  await expect.poll(() => link().getAttribute("href")).toBe("/calls?search=Mon");
});

test("lines are not added up: the legend has the values of the period, and a day without a measurement a dash", async () => {
  const chart = await renderChart(RESPONSE_TIMES);
  expect(screen.getByText("Response time in the whole period")).toBeTruthy();
  const legend = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(legend()).toEqual(["Median650", "95%1400"]);
  await userEvent.tab();
  expect(legend()).toEqual(["Median700", "95%1500"]);
  await userEvent.keyboard("{ArrowLeft}");
  expect(chart.getAttribute("aria-valuetext")).toBe("Tue, Jun 1, Median –, 95% –");
  const rows = within(screen.getByRole("table", { name: "Response time per day", hidden: true }))
    .getAllByRole("row", { hidden: true })
    .map(({ textContent }) => textContent);
  expect(rows).toEqual(["DayMedian95%", "Mon, Jun 16001300", "Tue, Jun 1––", "Wed, Jun 17001500"]);
});
