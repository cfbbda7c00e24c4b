import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { useKeptChoice } from "./kept-choice.ts";
import { boundedWidth, isWidth, PANEL_WIDTH, PanelEdge } from "./panel-edge.tsx";

function Panel() {
  const [width, setWidth] = useKeptChoice<number>("panelWidth", PANEL_WIDTH.initial, isWidth);
  return <PanelEdge width={width} controls="details" onWidth={setWidth} />;
}

const open = () => render(<Panel />).unmount;
const edge = () => screen.getByRole("separator", { name: "Width of the details panel" });
const width = () => Number(edge().getAttribute("aria-valuenow"));

test("the width of the panel is the same after the page is loaded again", async () => {
  const close = open();
  expect(width()).toBe(PANEL_WIDTH.initial);
  edge().focus();
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  const wider = width();
  expect(wider).toBeGreaterThan(PANEL_WIDTH.initial);
  close();
  const closeAgain = open();
  expect(width()).toBe(wider);
  fireEvent.doubleClick(edge());
  closeAgain();
  open();
  expect(width()).toBe(PANEL_WIDTH.initial);
});

test.each(["90", "9000", '"wide"', "{"])("a width of %s that was kept is not used", (kept) => {
  localStorage.setItem("parley.builder.panelWidth", kept);
  open();
  expect(width()).toBe(PANEL_WIDTH.initial);
});

test("the panel leaves room for the canvas on a narrow window", () => {
  expect(boundedWidth(5000)).toBe(Math.max(PANEL_WIDTH.min, Math.min(PANEL_WIDTH.max, innerWidth - 480)));
  expect(boundedWidth(1)).toBe(PANEL_WIDTH.min);
});
