import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { failureInGerman } from "./failure-sentences.de.ts";
import { sentenceInGerman } from "./sentences.de.ts";

const REPOSITORY = join(import.meta.dirname, "../../..");
const SOURCES = ["providers/src", "voice/src", "server/src/speech", "server/src/calls"]
  .flatMap((folder) =>
    globSync("**/*.ts", { cwd: join(REPOSITORY, folder) }).map((path) => join(REPOSITORY, folder, path)),
  )
  .filter((path) => !/\.test\.ts$|\/(testing|fakes|conformance)\//.test(path))
  .map((path) => readFileSync(path, "utf8"));

/** Texts that a pattern finds in the sources, with a number for each of their values. */
function written(pattern: RegExp): string[] {
  const found = SOURCES.flatMap((source) => [...source.matchAll(pattern)].map(({ groups }) => groups?.["text"] ?? ""));
  return [...new Set(found.map((text) => text.replaceAll(/\$\{[^}]*\}/g, "400")))];
}

const COMPLAINTS = written(/\bcomplaint: "(?<text>[^"]+)"/g);
/** What failed without a vendor's name. Names of values, as of the end of a call, have no spaces. */
const CAUSES = [
  ...written(/\bincident\(\s*"\w+",\s*["`](?<text>[^"`]+ [^"`]+)["`]/g),
  ...written(/\b(?:hear|dispatch)\(\{ type: "failed", reason: ["`](?<text>[^"`]+ [^"`]+)["`]/g),
  ...written(/\bwhat: "\w+",\s*reason: ["`](?<text>[^"`]+ [^"`]+)["`]/g),
  ...written(/\bnew ProviderError\(\s*[\w."#]+,\s*"(?<text>[^"]+)"/g),
];
/** What tests of engines say. */
const FINDINGS = [
  ...written(/(?:finding: |\|\| |\? |: |= )"(?<text>It [^"]+\.)"/g),
  ...written(/`(?<text>It (?:spoke|did not answer|said:|understood:)[^`]+)`/g),
];

it("finds what the service writes", () => {
  expect(COMPLAINTS.length).toBeGreaterThan(20);
  expect(CAUSES).toEqual(
    expect.arrayContaining([
      "the audio of the call stopped on our side",
      "what the agent said was not played on the line",
    ]),
  );
  expect(FINDINGS).toEqual(
    expect.arrayContaining(["It works.", "It runs on this machine.", "It spoke 400 s of audio."]),
  );
});

it.each(COMPLAINTS)("words what is wrong with a vendor: %s", (complaint) => {
  expect(failureInGerman(`Vendor ${complaint}.`)).toMatch(/^Vendor (?!.*\b(the|its|this)\b).+\.$/);
});

it.each(CAUSES)("words the cause of an incident: %s", (cause) => {
  expect(failureInGerman(cause)).not.toBeNull();
});

it.each(FINDINGS)("words what a test of an engine finds: %s", (finding) => {
  expect(sentenceInGerman(finding)).not.toBeNull();
});

it.each([
  [
    "OpenAI refused the API key (status 401): no such key",
    "OpenAI hat den API-Schlüssel abgelehnt (status 401): no such key",
  ],
  ["Deepgram is overloaded.; whisper has taken over", "Deepgram ist überlastet; whisper hat übernommen"],
  ["recognition in de: Soniox cut the connection.", "Erkennung in der Sprache de: Soniox hat die Verbindung getrennt"],
  [
    "It spoke 2.4 s of audio. It is slow for a phone call.",
    "Es kamen 2,4 s Ton zurück. Für ein Telefongespräch ist das langsam.",
  ],
  [
    "Deepgram's model nova does not understand the language de.",
    "Das Modell nova von Deepgram versteht die Sprache de nicht.",
  ],
])("keeps names, numbers and a vendor's own words: %s", (english, german) => {
  expect(failureInGerman(english)).toBe(german);
});

it("leaves what it does not know", () => {
  expect(failureInGerman("The moon is full.")).toBeNull();
});
