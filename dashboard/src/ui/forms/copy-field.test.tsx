import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { CopyField } from "./copy-field.tsx";

test("the button copies the value, not the shortened text, and the result is announced", async () => {
  const user = userEvent.setup();
  render(<CopyField label="Secret" value="whsec_0123456789" shown="whsec_01…" />);
  await user.click(screen.getByRole("button", { name: "Copy: Secret" }));
  expect(await navigator.clipboard.readText()).toBe("whsec_0123456789");
  expect(screen.getByRole("status").textContent).toBe("Copied");
  // Who controls the page by voice says what is written on the button.
  expect(screen.getByRole("button", { name: "Copied" }).textContent).toBe("Copied");
  expect(screen.queryByText("whsec_0123456789")).toBeNull();
});

test("where the browser denies the clipboard, the page says to copy by hand", async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
  render(<CopyField label="Secret" value="whsec_0123456789" />);
  await user.click(screen.getByRole("button", { name: "Copy: Secret" }));
  expect(screen.getByRole("status").textContent).toBe("Select and copy");
});
