import { expect, it } from "vitest";
import { smallFlow } from "../model/testing/small-flow.ts";
import { kindsFor, searchFlow } from "./pickers.tsx";

const ids = (query: string) => searchFlow(smallFlow(), query).map(({ node }) => node.id);

it("finds a node by its name, its kind and what it says, names first", () => {
  expect(ids("will come")).toEqual(["coming"]);
  expect(ids("pity")).toEqual(["sorry"]);
  expect(ids("end")).toEqual(["bye", "sorry"]);
  expect(ids("tuesday")).toEqual(["coming"]);
  expect(ids("zeppelin")).toEqual([]);
  expect(ids("")).toHaveLength(4);
});

it("finds a kind of node by the name it is listed with, and by its own", () => {
  const kinds = (query: string) => kindsFor(smallFlow(), query, (kind) => `New: ${kind}`).map(({ name }) => name);
  expect(kinds("New: Say")[0]).toBe("New: Say");
  expect(kinds("say")[0]).toBe("New: Say");
  expect(kinds("new: req")[0]).toBe("New: Request");
  expect(kinds("zeppelin")).toEqual([]);
});
