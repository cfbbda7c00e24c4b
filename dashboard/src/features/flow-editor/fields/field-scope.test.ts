import { expect, test } from "vitest";
import { homelessProblems, problemsBelow } from "./field-scope.tsx";

const problem = (path: string, message = `wrong at ${path}`) => ({ path, message });

test("a problem stands at the field it is about, and those of other nodes stay away", () => {
  const found = problemsBelow(
    [problem("nodes[1].text"), problem("nodes[1].exits[0].when"), problem("nodes[10].text"), problem("settings.voice")],
    "nodes[1]",
  );
  expect([...found.keys()]).toEqual(["text", "exits[0].when"]);
});

test("two problems of one field are both read", () => {
  const found = problemsBelow([problem("nodes[0].text", "One."), problem("nodes[0].text", "Two.")], "nodes[0]");
  expect(found.get("text")).toBe("One. Two.");
});

test("a problem of the node as a whole, or of a field that is not shown, is told at its head", () => {
  const found = problemsBelow([problem("nodes[0]", "Nothing leads here."), problem("nodes[0].next")], "nodes[0]");
  expect(homelessProblems(found, new Set(["next"]))).toEqual(["Nothing leads here."]);
});
