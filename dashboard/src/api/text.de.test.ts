import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ERROR_CODES } from "@parley/contract/errors";
import { GATE_REFUSALS } from "@parley/contract/gate";
import { describe, expect, it } from "vitest";
import { SENTENCES } from "./sentences.de.ts";
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
      message: "The moon is not full.",
    });
    expect(said).toMatch(/^Das ist im Augenblick nicht möglich\. .*: The moon is not full\.$/);
  });

  it.each(ERROR_CODES)("has a sentence for the code %s", (code) => {
    const worded = german.wordError({ code, message: "field is required." });
    const [sentence = ""] = worded.split(/ Meldung des Dienstes: | field /);
    expect(sentence).toMatch(/^[A-ZÄÖÜ].+[.:]$/);
    expect(worded.replace(" Meldung des Dienstes: field is required.", "")).not.toContain("required");
  });

  it.each(GATE_REFUSALS)("says why a number may not be called: %s", (code) => {
    const details = [{ param: "phoneNumber", code, message: "Not this number." }];
    const worded = german.wordError({ code: "destination_not_allowed", message: "Not this number.", details });
    expect(worded).toMatch(/\.$/);
    expect(worded).not.toContain("Not this number");
    expect(german.wordFieldError({ param: "phoneNumber", code, message: "Not this number." })).toBe(worded);
  });

  it.each([
    ["invalid_state", "You cannot remove yourself.", "Sie können sich nicht selbst entfernen."],
    ["not_allowed", "Only an operator may do this.", "Das darf nur ein Betreiber der Installation."],
    ["invalid_state", "An agent has at most 200 scenarios.", "Ein Agent hat höchstens 200 Szenarien."],
  ])("words what the service often says with the code %s: %s", (code, message, worded) => {
    expect(german.wordError({ code, message })).toBe(worded);
  });

  it("words sentences that are not errors, and keeps those that it does not know", () => {
    expect(german.wordSentence("The agent was deleted.")).toBe("Der Agent wurde gelöscht.");
    expect(german.wordSentence("The endpoint answered 500 Internal Server Error.")).toBe(
      "Der Endpunkt hat mit 500 Internal Server Error geantwortet.",
    );
    expect(german.wordSentence("It was kept for 30 days, as the account's settings say.")).toContain("30 Tage");
    expect(german.wordSentence("Its call was refused. The account has no such agent.")).toMatch(
      /^Der Anruf dafür wurde abgelehnt\. /,
    );
    expect(german.wordSentence("The moon is full.")).toBe("The moon is full.");
  });

  it.each([
    ["It answered 200 OK after 35 ms.", "Er antwortete 200 OK nach 35 ms."],
    ["It answered 200 OK, but only after 2.1 s.", "Er antwortete 200 OK, aber erst nach 2.1 s."],
    ["A TLS connection was established after 40 ms.", "Eine TLS-Verbindung stand nach 40 ms."],
    [
      "A TLS connection was established after 40 ms, but its certificate for sip.example is valid for 3 more days.",
      "Eine TLS-Verbindung stand nach 40 ms, aber ihr Zertifikat für sip.example gilt noch 3 Tage.",
    ],
    ["DNS knows no address of sip.example.", "DNS kennt keine Adresse von sip.example."],
    ["No response within 4.0 s.", "In 4.0 s kam nichts zurück."],
    [
      "The trunk does not accept the username or the password (401 Unauthorized).",
      "Der Trunk nimmt Benutzername oder Passwort nicht an (401 Unauthorized).",
    ],
    [
      "+15550100001 rang after 1.2 s and was answered after 3.0 s.",
      "+15550100001 klingelte nach 1.2 s und wurde nach 3.0 s angenommen.",
    ],
    ["The settings are consistent.", "Die Einstellungen passen zusammen."],
    ["Twilio refuses the credentials.", "Twilio lehnt die Zugangsdaten ab."],
  ])("words what the doctor of trunks finds: %s", (sentence, worded) => {
    expect(german.wordSentence(sentence)).toBe(worded);
  });

  it("has no sentence that the service does not write any more", () => {
    const folders = ["server/src", "telephony/src", "flow/src"].map((folder) =>
      join(import.meta.dirname, "../../..", folder),
    );
    const written = folders
      .flatMap((folder) => globSync("**/*.ts", { cwd: folder }).map((path) => join(folder, path)))
      .filter((path) => !path.endsWith(".test.ts"))
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    expect(Object.keys(SENTENCES).filter((sentence) => !written.includes(sentence))).toEqual([]);
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
