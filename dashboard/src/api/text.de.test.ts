import { describe, expect, it } from "vitest";
import { german } from "./text.de.ts";

describe("an error of the API in German", () => {
  it("is worded by its code where the code says everything", () => {
    expect(german.wordError({ code: "agent_not_published", message: "The agent has no published version yet." })).toBe(
      "Der Agent ist noch nicht veröffentlicht.",
    );
  });

  it("keeps what the service says where a code stands for many cases", () => {
    const said = german.wordError({
      code: "invalid_state",
      message: "The last owner of an account cannot be removed.",
    });
    expect(said).toMatch(
      /^Das ist im Augenblick nicht möglich\. .*: The last owner of an account cannot be removed\.$/,
    );
  });

  it.each([
    ["name must be at most 120 characters long.", "name darf höchstens 120 Zeichen lang sein."],
    ["agentId is required.", "agentId ist eine Pflichtangabe."],
    ["mode must be one of test, live.", "mode muss einer dieser Werte sein: test, live."],
    ["kind twilio needs a public URL.", "kind twilio needs a public URL."],
  ])("names the wrong field and its limit: %s", (message, worded) => {
    expect(german.wordError({ code: "validation_failed", message })).toBe(`Eine Angabe ist ungültig: ${worded}`);
  });

  it.each([
    ["too_big", "must be at most 90", "darf höchstens 90 sein"],
    ["taken", "name is used by another trunk.", "Das ist bereits vergeben."],
    ["bad_header", "headers must not set Host.", "headers must not set Host."],
  ])("says what is wrong with a field, in English only where no translation exists: %s", (code, message, worded) => {
    expect(german.wordFieldError({ param: "field", code, message })).toBe(worded);
  });

  it.each([
    [1, "in einer Sekunde"],
    [45, "in 45 Sekunden"],
    [60, "in einer Minute"],
    [61, "in 2 Minuten"],
  ])("says to try again after %i seconds", (seconds, when) => {
    expect(german.tryAgainIn("Zu viele Anfragen.", seconds)).toContain(when);
  });
});
