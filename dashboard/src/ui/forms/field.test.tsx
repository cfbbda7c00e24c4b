import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";

const descriptionOf = (element: HTMLElement) =>
  document.getElementById(element.getAttribute("aria-describedby") ?? "")?.textContent ?? null;

test("a field is found by its label and described by its hint", () => {
  render(<TextField label="Name" hint="As callees hear it." />);
  const field = screen.getByLabelText("Name");
  expect(descriptionOf(field)).toBe("As callees hear it.");
  expect(field.getAttribute("aria-invalid")).toBe("false");
});

test("an error takes the place of the hint and marks the field as invalid", () => {
  render(<TextField label="Name" hint="As callees hear it." error="A name is needed." />);
  const field = screen.getByLabelText("Name");
  expect(descriptionOf(field)).toBe("A name is needed.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByText("As callees hear it.")).toBeNull();
});

test("a field without hint and error refers to no description", () => {
  render(<TextField label="Name" />);
  expect(screen.getByLabelText("Name").hasAttribute("aria-describedby")).toBe(false);
});

test.each([{ disabled: true }, { isBusy: true }])(
  "a button that is off (%o) keeps the focus and does nothing",
  async (props) => {
    const onClick = vi.fn();
    const onSubmit = vi.fn();
    render(
      <form onSubmit={onSubmit}>
        <input aria-label="Name" />
        <Button type="submit" onClick={onClick} {...props}>
          Save
        </Button>
      </form>,
    );
    const button = screen.getByRole("button", { name: "Save" });
    await userEvent.click(button);
    await userEvent.type(screen.getByLabelText("Name"), "Ada{Enter}");
    button.focus();
    expect(document.activeElement).toBe(button);
    expect(onClick).not.toHaveBeenCalled();
    expect(onSubmit).not.toHaveBeenCalled();
  },
);
