import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { type Toast, ToastProvider, type UndoOffer, useToast } from "./toast.tsx";

function Trigger({ toasts }: { readonly toasts: Readonly<Record<string, Toast>> }) {
  const show = useToast();
  return Object.entries(toasts).map(([name, toast]) => (
    <button key={name} type="button" onClick={() => show(toast)}>
      {name}
    </button>
  ));
}

function renderToasts(toasts: Readonly<Record<string, Toast>>) {
  render(
    <ToastProvider>
      <Trigger toasts={toasts} />
    </ToastProvider>,
  );
  return (name: string) => userEvent.click(screen.getByRole("button", { name }));
}

test("a note with an undo offers it, and pressing it undoes once and closes the note", async () => {
  const undo = vi.fn();
  const press = renderToasts({ remove: { text: "The number was removed.", undo } });
  await press("remove");
  expect(screen.getByText("The number was removed.")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: /Undo/ }));
  expect(undo).toHaveBeenCalledOnce();
  await expect.poll(() => screen.queryByText("The number was removed.")).toBeNull();
});

test("a note without an undo has no button", async () => {
  const press = renderToasts({ save: { text: "Saved." } });
  await press("save");
  expect(screen.getByText("Saved.")).toBeDefined();
  expect(screen.queryByRole("button", { name: /Undo/ })).toBeNull();
});

test("a newer note about the same subject replaces the older, whose undo would overwrite the newer change", async () => {
  const press = renderToasts({
    first: { text: "The limit is 5.", undo: () => undefined, subject: "limit" },
    second: { text: "The limit is 6.", undo: () => undefined, subject: "limit" },
    other: { text: "The name is new.", undo: () => undefined, subject: "name" },
  });
  await press("first");
  await press("other");
  await press("second");
  expect(screen.queryByText("The limit is 5.")).toBeNull();
  expect(screen.getByText("The limit is 6.")).toBeDefined();
  expect(screen.getByText("The name is new.")).toBeDefined();
});

test("a note goes away when its undo becomes impossible", async () => {
  const listeners = new Set<() => void>();
  let isOpen = true;
  const offer: UndoOffer = {
    undo: vi.fn(),
    isOpen: () => isOpen,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const press = renderToasts({ remove: { text: "A step was removed.", undo: offer } });
  await press("remove");
  expect(screen.getByText("A step was removed.")).toBeDefined();
  act(() => {
    isOpen = false;
    for (const listener of listeners) listener();
  });
  await expect.poll(() => screen.queryByText("A step was removed.")).toBeNull();
});
