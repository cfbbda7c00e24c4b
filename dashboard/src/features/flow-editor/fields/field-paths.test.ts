import { expect, test } from "vitest";
import { setAt, valueAt, writePath, writePattern } from "./field-paths.ts";

const node = { id: "visit", exits: [{ when: "yes" }, { when: "no", next: "bye" }], retries: { max: 2 } };

test("a nested field is changed and everything else keeps its identity", () => {
  const changed = setAt(node, ["exits", 1, "when"], "later") as typeof node;
  expect(changed.exits).toEqual([{ when: "yes" }, { when: "later", next: "bye" }]);
  expect(changed.exits[0]).toBe(node.exits[0]);
  expect(changed.retries).toBe(node.retries);
  expect(node.exits[1]?.when).toBe("no");
});

test("an emptied field is removed from the document, not kept as nothing", () => {
  expect(setAt(node, ["retries"], undefined)).toEqual({ id: "visit", exits: node.exits });
  expect(setAt(node, ["exits", 0], undefined)).toMatchObject({ exits: [{ when: "no", next: "bye" }] });
});

test("missing objects are created on the way", () => {
  expect(setAt({ id: "a" }, ["confirm", "text"], "Right?")).toEqual({ id: "a", confirm: { text: "Right?" } });
  expect(setAt({ id: "a" }, ["saves", 0], { saveAs: "x" })).toEqual({ id: "a", saves: [{ saveAs: "x" }] });
  expect(valueAt(node, ["exits", 1, "next"])).toBe("bye");
  expect(valueAt(node, ["confirm", "text"])).toBeUndefined();
});

test("a path is written as the problems of a flow write it", () => {
  expect(writePath(["exits", 1, "phrases", 0])).toBe("exits[1].phrases[0]");
  expect(writePattern(["exits", 12, "next"])).toBe("exits[].next");
});
