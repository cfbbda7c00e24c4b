import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import { ConfirmDialog } from "./dialog.tsx";

function renderDialog(props: { isBusy?: boolean; error?: unknown } = {}) {
  const onConfirm = vi.fn();
  const onClose = vi.fn();
  render(
    <ConfirmDialog
      title="Revoke this key?"
      lead="Programs that use it are refused from now on."
      keep="Keep it"
      confirm="Revoke"
      isBusy={false}
      onConfirm={onConfirm}
      onClose={onClose}
      {...props}
    />,
  );
  return { onConfirm, onClose };
}

test("a confirmation is announced with its title and its consequence", () => {
  renderDialog();
  const dialog = screen.getByRole("dialog", { name: "Revoke this key?" });
  const description = document.getElementById(dialog.getAttribute("aria-describedby") ?? "");
  expect(description?.textContent).toBe("Programs that use it are refused from now on.");
});

test("the focus starts on the button that changes nothing, so that Enter destroys nothing", async () => {
  const { onConfirm, onClose } = renderDialog();
  expect(document.activeElement?.textContent).toBe("Keep it");
  await userEvent.keyboard("{Enter}");
  expect(onClose).toHaveBeenCalledOnce();
  expect(onConfirm).not.toHaveBeenCalled();
});

test("confirming calls back once", async () => {
  const { onConfirm } = renderDialog();
  await userEvent.click(screen.getByRole("button", { name: "Revoke" }));
  expect(onConfirm).toHaveBeenCalledOnce();
});

test("while the request is running, confirming again does nothing", async () => {
  const { onConfirm } = renderDialog({ isBusy: true });
  const button = screen.getByRole("button", { name: "Revoke" });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await userEvent.click(button);
  expect(onConfirm).not.toHaveBeenCalled();
});

test("Escape closes the dialog without confirming", async () => {
  const { onConfirm, onClose } = renderDialog();
  await userEvent.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
  expect(onConfirm).not.toHaveBeenCalled();
});

test("an error of the service is shown in its own words", () => {
  const error = { code: "key_not_found", message: "This key no longer exists.", retryable: false } as never;
  renderDialog({ error: new ApiError(error) });
  expect(screen.getByText("This key no longer exists.")).toBeDefined();
});

test("an error in the page itself is shown in general words", () => {
  renderDialog({ error: new TypeError("x is undefined") });
  expect(screen.getByText(/Something went wrong on this page/)).toBeDefined();
  expect(screen.queryByText(/x is undefined/)).toBeNull();
});
