import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { PALETTE_TYPE, Palette } from "./palette.tsx";

function renderPalette() {
  const onAdd = vi.fn();
  render(<Palette hasStart onAdd={onAdd} onComment={() => undefined} onSearch={() => undefined} />);
  return onAdd;
}

const item = (name: string) => screen.getByRole("button", { name });

test("a click adds a node of the kind, and a start is offered only where there is none", async () => {
  const onAdd = renderPalette();
  await userEvent.click(item("Ask"));
  expect(onAdd).toHaveBeenCalledExactlyOnceWith("ask");
  expect(screen.queryByRole("button", { name: "Start" })).toBeNull();
});

test("the pointer and the keyboard show what a kind is for, until they leave or Escape is pressed", async () => {
  renderPalette();
  expect(screen.queryByRole("tooltip")).toBeNull();
  await userEvent.hover(item("Ask"));
  const shown = await screen.findByRole("tooltip");
  expect(shown.textContent).toContain("Ask");
  expect(item("Ask").getAttribute("aria-describedby")).toBe(shown.id);
  // It may be read, and copied from, with the pointer on it.
  await userEvent.hover(shown);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(screen.getByRole("tooltip")).toBe(shown);
  await userEvent.unhover(shown);
  await vi.waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  await userEvent.tab();
  expect(screen.getByRole("tooltip")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("tooltip")).toBeNull();
});

test("a kind is dragged by its type, a comment is not dragged", () => {
  renderPalette();
  const data = new Map<string, string>();
  const event = Object.assign(new Event("dragstart", { bubbles: true }), {
    dataTransfer: { setData: (type: string, value: string) => data.set(type, value), effectAllowed: "none" },
  });
  item("Ask").dispatchEvent(event);
  expect([...data]).toEqual([[PALETTE_TYPE, "ask"]]);
  expect(item("Ask").getAttribute("draggable")).toBe("true");
  expect(item("Comment").getAttribute("draggable")).toBe("false");
});
