import { expect, test } from "vitest";
import { addPhrases } from "./list-fields.tsx";

test("pasted lines become separate phrases, each once", () => {
  expect(addPhrases(["yes"], "I'll be there\n\n Yes \r\n  see   you then", 50)).toEqual([
    "yes",
    "I'll be there",
    "see you then",
  ]);
});

test("no more are kept than the contract allows", () => {
  expect(addPhrases(["a", "b"], "c\nd", 3)).toEqual(["a", "b", "c"]);
});
