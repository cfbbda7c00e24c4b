import type { WorkPriority } from "@parley/threads/pool";
import { expect, test } from "vitest";
import { NearestPhrases } from "./nearest-phrases.ts";

/** Each text is the direction of its first letter; two texts with the same one are the same. */
function openPhrases() {
  const encoded: { readonly texts: readonly string[]; readonly priority: WorkPriority }[] = [];
  const trouble = { isGone: false };
  const phrases = new NearestPhrases(async (texts, { priority }) => {
    if (trouble.isGone) throw new Error("gone");
    encoded.push({ texts, priority });
    return texts.map((text) => Float32Array.from({ length: 26 }, (_, at) => (text.charCodeAt(0) - 97 === at ? 1 : 0)));
  });
  const rank = (text: string, ...lists: string[][]) =>
    phrases.rank(
      text,
      lists.map((list, index) => ({ id: String(index), phrases: list })),
      new AbortController().signal,
    );
  return { phrases, rank, encoded, trouble };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a phrase is encoded once, however often it is requested, and the callee's words are not cached", async () => {
  const { rank, encoded } = openPhrases();
  expect(await rank("Come", ["cancel", "move"], ["better"])).toEqual([
    { id: "0", score: 1 },
    { id: "1", score: 0 },
  ]);
  await rank("maybe", ["Cancel", "move"]);
  await rank("maybe", ["cancel"]);
  expect(encoded.map(({ texts }) => texts)).toEqual([["come", "cancel", "move", "better"], ["maybe"], ["maybe"]]);
});

test("prepared phrases are encoded in small batches behind urgent requests", async () => {
  const { phrases, rank, encoded } = openPhrases();
  const many = Array.from({ length: 20 }, (_, index) => `phrase ${index}`);
  phrases.prepare(many);
  phrases.prepare(many);
  await settled();
  expect(encoded.map(({ texts }) => texts.length)).toEqual([8, 8, 4]);
  expect(encoded.every(({ priority }) => priority === "ahead")).toBe(true);
  await rank("hello", many);
  expect(encoded.at(-1)).toEqual({ texts: ["hello"], priority: "urgent" });
});

test("a phrase that could not be prepared is encoded when it is needed", async () => {
  const { phrases, rank, encoded, trouble } = openPhrases();
  trouble.isGone = true;
  phrases.prepare(["come"]);
  await settled();
  await expect(rank("hello", ["come"])).rejects.toThrow("gone");
  trouble.isGone = false;
  await rank("hello", ["come"]);
  expect(encoded).toEqual([{ texts: ["hello", "come"], priority: "urgent" }]);
});
