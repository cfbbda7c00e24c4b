import { expect, it } from "vitest";
import { smallFlow } from "../model/testing/small-flow.ts";
import { searchFlow } from "./pickers.tsx";

const ids = (query: string) => searchFlow(smallFlow(), query).map(({ node }) => node.id);

it("finds a node by its name, its kind and what it says, names first", () => {
  expect(ids("will come")).toEqual(["coming"]);
  expect(ids("pity")).toEqual(["sorry"]);
  expect(ids("end")).toEqual(["bye", "sorry"]);
  expect(ids("tuesday")).toEqual(["coming"]);
  expect(ids("zeppelin")).toEqual([]);
  expect(ids("")).toHaveLength(4);
});
