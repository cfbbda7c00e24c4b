import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Segmented } from "./segmented.tsx";

const CHOICES = ["24 h", "7 d", "30 d"].map((value) => ({ value, label: value }));

function renderChoice(value = "7 d") {
  const onChoose = vi.fn();
  render(<Segmented label="Period" value={value} choices={CHOICES} onChoose={onChoose} />);
  return onChoose;
}

const choice = (name: string) => screen.getByRole("radio", { name });

test("says which choice is on, and a click takes another one", async () => {
  const onChoose = renderChoice();
  expect(screen.getByRole("radiogroup", { name: "Period" })).toBeTruthy();
  expect(CHOICES.map(({ value }) => choice(value).getAttribute("aria-checked"))).toEqual(["false", "true", "false"]);
  await userEvent.click(choice("7 d"));
  expect(onChoose).not.toHaveBeenCalled();
  await userEvent.click(choice("24 h"));
  expect(onChoose).toHaveBeenCalledExactlyOnceWith("24 h");
});

test("is one stop for the Tab key, where arrows move and Enter chooses", async () => {
  const onChoose = renderChoice();
  await userEvent.tab();
  expect(document.activeElement).toBe(choice("7 d"));
  await userEvent.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(choice("30 d"));
  await userEvent.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(choice("24 h"));
  await userEvent.keyboard("{ArrowLeft}{Home}{End}");
  expect(document.activeElement).toBe(choice("30 d"));
  expect(onChoose).not.toHaveBeenCalled();
  await userEvent.keyboard("{Enter}");
  expect(onChoose).toHaveBeenCalledExactlyOnceWith("30 d");
  await userEvent.tab();
  expect(document.activeElement).toBe(document.body);
});

test("can be reached while none of its choices is on", async () => {
  renderChoice("custom");
  await userEvent.tab();
  expect(document.activeElement).toBe(choice("24 h"));
});
