import { describe, expect, it } from "vitest";
import { german } from "./text.de.tsx";

describe("a failed scenario in German", () => {
  it.each([
    ['Expected day to be collected as "x", but it is "y". That was after step 1.', 'Erfasst wurde "y".'],
    ["Expected day to be collected as some value, but it is null. That was after step 1.", "Erfasst wurde nichts."],
    [
      "Expected day to be collected as some value, but nothing in the flow saves it. That was after step 1.",
      "Nichts im Ablauf speichert diesen Wert.",
    ],
    ["Expected the call to reach the node a, but it went b, c. That was after step 2.", "Der Anruf ging über b, c."],
    ["Expected the call to end as busy, but it ended as silence. That was after step 2.", "Er endete als silence."],
  ])("says what was expected and what happened: %s", (message, happened) => {
    expect(german.whatFailed(message, "So soll es sein")).toBe(`Nicht erfüllt: So soll es sein. ${happened}`);
  });

  it("says only what was expected where nothing else happened", () => {
    const message = 'Expected the agent to say "Hello", but it did not. That was after step 1.';
    expect(german.whatFailed(message, "Der Agent sagt Hallo")).toBe("Nicht erfüllt: Der Agent sagt Hallo.");
  });

  it("says why a run was not completed", () => {
    const message = "Its call was refused. The account has no such agent.";
    expect(german.whatFailed(message, null)).toMatch(/^Der Anruf dafür wurde abgelehnt\. /);
    expect(german.whatFailed("The moon is full.", null)).toBe("The moon is full.");
  });
});
