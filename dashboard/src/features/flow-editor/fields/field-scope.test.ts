import { expect, test } from "vitest";
import { homelessProblems, problemsBelow } from "./field-scope.tsx";

const problem = (path: string, message = `wrong at ${path}`) => ({ path, message });

test("a problem is shown at its field, and those of other nodes are not", () => {
  const found = problemsBelow(
    [problem("nodes[1].text"), problem("nodes[1].exits[0].when"), problem("nodes[10].text"), problem("settings.voice")],
    "nodes[1]",
  );
  expect([...found.keys()]).toEqual(["text", "exits[0].when"]);
});

test("two problems of one field are both shown", () => {
  const found = problemsBelow([problem("nodes[0].text", "One."), problem("nodes[0].text", "Two.")], "nodes[0]");
  expect(found.get("text")).toBe("One. Two.");
});

test("a problem of the whole node, or of a hidden field, is shown at its head", () => {
  const found = problemsBelow([problem("nodes[0]", "Nothing leads here."), problem("nodes[0].next")], "nodes[0]");
  expect(homelessProblems(found, new Set(["next"]))).toEqual(["Nothing leads here."]);
});
