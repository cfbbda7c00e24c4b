import { describe, expect, it } from "vitest";
import {
  listedWith,
  passedTo,
  readSources,
  textsLike,
  type WrittenSentence,
  withGaps,
  withValues,
} from "../testing/api-sentences.ts";
import { german } from "./text.de.ts";

/** Sources of errors. `contract/src/errors.ts` only passes on what others write. */
const service = readSources(
  ["server/src", "contract/src"],
  /^(?!.*class AppError).*(AppError|invalidField|compileOrRefuse|param\b|UnreadableSecret)/s,
);
const contract = readSources(["contract/src"], /"(must|may) |`(must|may) /);
const connections = readSources(["server/src/platform/outbound-http", "server/src/agents/mcp"], /Failure/);
/** Files that write sentences in other ways than by throwing them. */
const other = readSources(
  ["server/src", "flow/src", "providers/src"],
  /const FRAMEWORK_CODES|Limits = \{|LIMITS = \{|function whyNotOneConversation|function describeRecipe|missing: readonly string\[\]|function explainMissing|isSherpaInstalled\(baseUrl\)|Accepted with|toBrokenResult\(\w+(\.\w+)?, `|of its tools cannot/,
);

/**
 * Expressions whose texts are only known when the service runs, and where these come from. The test fails for one that is
 * not listed here, and for one that is gone.
 */
const KNOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  "contract/src/agents.ts: z.string()": "a schema",
  "server/src/agents/confusable-exits.ts: message": "notes about flows, which the builder words by their codes",
  "server/src/agents/drafts.ts: message": "notes about flows, which the builder words by their codes",
  "server/src/agents/mcp/mcp-servers.ts: badUrl": "OutboundFailure",
  "server/src/agents/mcp/mcp-servers.ts: mistake": "OutboundFailure",
  "server/src/agents/routes.ts: silent": "notes about flows, which the builder words by their codes",
  "server/src/agents/routes.ts: unspoken": "notes about flows, which the builder words by their codes",
  "server/src/agents/routes.ts: unsuited": "notes about flows, which the builder words by their codes",
  "server/src/phone/doctor/create-doctor.ts: error.message": "UnreadableSecret",
  "server/src/platform/http/body.ts: sentence(excess)": "a field and its error",
  "server/src/platform/http/body.ts: sentence(fault)": "a field and its error",
  "server/src/platform/http/send-reply.ts: clip(message, MESSAGE_CHARS_MAX)": "passes on",
  "server/src/platform/http/send-reply.ts: mapped[1]": "FRAMEWORK_CODES",
  "server/src/platform/http/validate.ts: messageOf(issue)": "messages of the contract",
  "server/src/platform/http/limits/work-limiter.ts: this.#limits.message": "limits of work",
  "server/src/speech/models/engine-registry.ts: message": "languageProblem",
  'server/src/speech/models/examine-engine.ts: engine.missing.join(" ")': "what engines lack",
  "server/src/start/acceptance.ts: problem": "whyNotOneConversation",
  "server/src/webhooks/endpoints.ts: badUrl": "OutboundFailure",
  "server/src/webhooks/endpoints.ts: mistake": "OutboundFailure",
};

/** Sentences that consist of a field and its error, or of a note about a flow. Each part is tested as such. */
const MADE_OF_OTHERS =
  /^(The body )?…( …)?\.(\.\.)?$|^… within … seconds\.$|^kind … …\.$|^The node … lists the tool …|^…: …$|^answered by …: /;

const errors = passedTo(service, "AppError", 1, 0);
const secrets = passedTo(service, "UnreadableSecret", 0, null);
const fieldErrors = [
  ...passedTo(service, "invalidField", 2, 1),
  ...listedWith(service, ["param", "code", "message"], "message", "code"),
];
const rules = textsLike(contract, /^(must|may) [a-z].*[^.]$/);
const failures = [
  ...passedTo(connections, "OutboundFailure", 1, null),
  ...passedTo(connections, "McpFailure", 0, null),
];
/** Descriptions of settings are part of the reference, which is in English. */
const REFERENCE = /^(Whether|Engines of your own)\b/;
const said = textsLike(other, /^[A-Z\0][^\n]* [^\n]*\.$/).filter(({ text }) => !REFERENCE.test(text ?? ""));

/** One row for each sentence and code. */
function rows(written: readonly WrittenSentence[]): (readonly [string, string, string])[] {
  const found = written.flatMap(({ code, text }) => (text === null ? [] : [{ code: code ?? "", text }]));
  const distinct = new Map(found.map(({ code, text }) => [`${code} ${text}`, [code, withGaps(text), text] as const]));
  return [...distinct.values()].filter(([, title]) => !MADE_OF_OTHERS.test(title));
}

/** Words that no German sentence has, outside of values and of names of settings. */
const ENGLISH = /\b(the|is|are|must|not|cannot|which|with|and|of|to|for)\b/i;

function expectGerman(worded: readonly string[], written: readonly string[]): void {
  const translated = worded.filter((each, index) => !each.includes(written[index] ?? ""));
  expect(translated).not.toEqual([]);
  expect(translated.filter((each) => !ENGLISH.test(each))).not.toEqual([]);
}

const findings = listedWith(readSources(["voice/src"], /\bsays\b/), ["judge", "says"], "says");
const screening = readSources(["voice/src/screening"], /\breason\b/);
const answered = ["weight", "kind"].flatMap((field) => listedWith(screening, [field, "reason"], "reason"));
const notes = listedWith(readSources(["voice/src", "server/src"], /type: "note"/), ["type", "text"], "text", "type");

describe("what the service says, in German", () => {
  it("is found in its sources", () => {
    expect(errors.length).toBeGreaterThan(150);
    expect(fieldErrors.length).toBeGreaterThan(50);
    expect(rules.length).toBeGreaterThan(60);
    expect(failures.length).toBeGreaterThan(30);
    expect(errors.map(({ text }) => text)).toEqual(
      expect.arrayContaining(["You cannot remove yourself.", "The flow cannot be tried. \0"]),
    );
    expect(failures.map(({ text }) => text)).toContain("\0 cannot be reached on port \0: nothing listens there.");
  });

  it("is known before the service runs, but for what other sentences make up", () => {
    const unknown = [...errors, ...secrets, ...fieldErrors].filter(({ text }) => text === null);
    expect([...new Set(unknown.map(({ place }) => place))].sort()).toEqual(Object.keys(KNOWN_ELSEWHERE).sort());
  });

  it.each(rows(errors))("has words for the error %s: %s", (code, _title, text) => {
    const written = withValues(text);
    const worded = written.map((message) => german.wordError({ code, message }));
    expectGerman(worded, written);
  });

  it.each(rows(fieldErrors))("has words for a field with the error %s: %s", (code, _title, text) => {
    const written = withValues(text);
    expectGerman(
      written.map((message) => german.wordFieldError({ param: "field", code, message })),
      written,
    );
  });

  it.each(rows(rules))("has words for a rule of the contract%s: %s", (_code, _title, text) => {
    const written = withValues(text);
    expectGerman(
      written.map((message) => german.wordFieldError({ param: "field", code: "invalid", message })),
      written,
    );
  });

  it.each(rows(findings))("says why words were understood as they were%s: %s", (_code, _title, text) => {
    const written = withValues(text);
    expectGerman(written.map(german.wordFinding), written);
  });

  it.each(rows(answered))("says why it was decided who answered%s: %s", (_code, _title, text) => {
    const written = withValues(text).map((reason) => `answered by human: ${reason}`);
    expectGerman(written.map(german.wordNote), written);
  });

  it.each(rows(notes).filter(([code]) => code === "note"))("words a %s of a transcript: %s", (_code, _title, text) => {
    const written = withValues(text);
    expectGerman(written.map(german.wordNote), written);
  });

  it.each(rows([...failures, ...secrets, ...said]))("has words for%s: %s", (_code, _title, text) => {
    const written = withValues(text);
    expectGerman(written.map(german.wordSentence), written);
  });
});
