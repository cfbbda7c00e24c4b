import { expect, it } from "vitest";
import { flowOfOutline, Outline } from "./outline.ts";

it("asks in order, keeps the answers and ends after a no where the outline says so", () => {
  const outline = Outline.parse({
    greeting: "Hello {{name}}.",
    questions: [
      { ask: "Do you come?", saveAs: "comes", answer: "yes_no", endIfNo: "Goodbye then." },
      { ask: "When?", saveAs: "part", answer: "choice", choices: ["morning", "evening"] },
      { ask: "How many?", saveAs: "count", answer: "number" },
    ],
    goodbye: "See you.",
    variables: ["name"],
  });
  const { nodes } = flowOfOutline(outline);
  expect(nodes.map(({ id }) => id)).toEqual([
    ...["start", "greeting", "ask_1", "declined_1", "ask_2", "ask_3", "goodbye", "not_understood"],
  ]);
  expect(nodes.find(({ id }) => id === "ask_2")).toMatchObject({
    exits: [
      { when: "morning", next: "ask_3" },
      { when: "evening", next: "ask_3" },
    ],
  });
  expect(nodes.find(({ id }) => id === "ask_3")).toMatchObject({ next: "goodbye", otherwise: "not_understood" });
});
