import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderWithQueries } from "../../../testing/render-with-queries.tsx";
import { CallNotesCard } from "./call-notes.tsx";

async function show() {
  let notes = { tags: [] as string[], note: "Ada was friendly." };
  const sent: object[] = [];
  vi.stubGlobal("fetch", async (_address: string, init?: RequestInit) => {
    if (init?.body) {
      const changes = JSON.parse(String(init.body)) as Partial<typeof notes>;
      sent.push(changes);
      notes = { ...notes, ...changes };
    }
    return Response.json({ data: notes });
  });
  renderWithQueries(<CallNotesCard call={{ id: "call_1", mode: "test" }} />);
  await screen.findByDisplayValue("Ada was friendly.");
  return { sent, field: screen.getByLabelText("Note") };
}

test("the note is saved with its button by keyboard, and the focus returns to the note", async () => {
  const { sent, field } = await show();
  await userEvent.type(field, " Twice.");
  await userEvent.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Save note" }));
  expect(sent).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => screen.queryByRole("button", { name: "Save note" })).toBeNull();
  expect(sent).toEqual([{ note: "Ada was friendly. Twice." }]);
  expect(document.activeElement).toBe(field);
});

test("a note that is left is saved", async () => {
  const { sent, field } = await show();
  await userEvent.type(field, " Twice.");
  await userEvent.click(screen.getByLabelText("Add a tag"));
  await expect.poll(() => sent).toEqual([{ note: "Ada was friendly. Twice." }]);
});
