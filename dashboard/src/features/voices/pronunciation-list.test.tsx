import type { Pronunciation } from "@parley/contract/pronunciations";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderWithQueries } from "../../testing/render-with-queries.tsx";
import { completeEntries, PronunciationList } from "./pronunciation-list.tsx";

function List({ onList }: { readonly onList: (list: readonly Pronunciation[]) => void }) {
  const [list, setList] = useState<readonly Pronunciation[]>([]);
  const change = (next: readonly Pronunciation[]) => {
    setList(next);
    onList(next);
  };
  return <PronunciationList list={list} onChange={change} />;
}

test("a word is added with how it is said, heard once it is complete, and removed", async () => {
  let list: readonly Pronunciation[] = [];
  renderWithQueries(
    <List
      onList={(next) => {
        list = next;
      }}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: "Add a word" }));
  await userEvent.type(screen.getByLabelText("Written"), "Siobhan");
  expect(completeEntries(list)).toEqual([]);
  await userEvent.type(screen.getByLabelText("Said"), "/shi7/");
  expect(screen.getByText(/Must be a respelling such as/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Listen to Siobhan" }).getAttribute("aria-disabled")).toBe("true");
  await userEvent.clear(screen.getByLabelText("Said"));
  await userEvent.type(screen.getByLabelText("Said"), "shi-VAWN");
  expect(completeEntries(list)).toEqual([{ written: "Siobhan", spoken: "shi-VAWN" }]);
  await userEvent.click(screen.getByRole("button", { name: "Remove Siobhan" }));
  expect(list).toEqual([]);
});

test("the same word a second time is a mistake", () => {
  const list = [
    { written: "Ada", spoken: "ay-da" },
    { written: "ADA", spoken: "ah-da" },
  ];
  expect(completeEntries(list)).toEqual([list[0]]);
});
