import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { TabPanel, Tabs } from "./tabs.tsx";

function renderTabs() {
  const tabs = ["Transcript", "Timeline", "Latency"].map((label) => ({
    id: label.toLowerCase(),
    label,
    content: <p>{`About ${label.toLowerCase()}`}</p>,
  }));
  render(<Tabs label="Parts" tabs={tabs} />);
}

const tab = (name: string) => screen.getByRole("tab", { name });

test("shows the first, and what belongs to the one that is clicked", async () => {
  renderTabs();
  expect(screen.getByRole("tablist", { name: "Parts" })).toBeTruthy();
  expect(screen.getByRole("tabpanel", { name: "Transcript" }).textContent).toBe("About transcript");
  await userEvent.click(tab("Latency"));
  expect(tab("Latency").getAttribute("aria-selected")).toBe("true");
  expect(screen.getByRole("tabpanel").textContent).toBe("About latency");
  expect(screen.getByRole("tabpanel").id).toBe(tab("Latency").getAttribute("aria-controls"));
});

test("is one stop for the Tab key, where arrows show the next", async () => {
  renderTabs();
  await userEvent.tab();
  expect(document.activeElement).toBe(tab("Transcript"));
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("tabpanel", { name: "Timeline" })).toBeTruthy();
  await userEvent.keyboard("{Alt>}{ArrowRight}{/Alt}{ArrowDown}");
  expect(document.activeElement).toBe(tab("Timeline"));
  await userEvent.keyboard("{Home}{ArrowLeft}");
  expect(document.activeElement).toBe(tab("Latency"));
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("tabpanel", { name: "Latency" }));
});

test("a panel that is kept keeps its content while another is shown", () => {
  render(
    <>
      <TabPanel name="parts" id="run" isChosen={false} isKept>
        still running
      </TabPanel>
      <TabPanel name="parts" id="other" isChosen={false}>
        not rendered
      </TabPanel>
    </>,
  );
  expect(screen.getByText("still running").hidden).toBe(true);
  expect(screen.queryByText("not rendered")).toBeNull();
});
