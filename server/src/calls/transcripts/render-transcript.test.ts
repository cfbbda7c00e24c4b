import type { TranscriptItem } from "@parley/contract/transcripts";
import { expect, test } from "vitest";
import { chooseFormat, renderSrt, renderText, renderVtt } from "./render-transcript.ts";

const speech = (role: "callee" | "agent", heardText: string, startMs: number, endMs: number): TranscriptItem => ({
  type: "speech",
  role,
  turn: 1,
  text: "what was to be said",
  revisedText: null,
  heardText,
  interrupted: role === "agent" && heardText.endsWith("un"),
  startMs,
  endMs,
  words: [],
  timing: null,
});

const ITEMS: readonly TranscriptItem[] = [
  speech("callee", "Hello?", 480, 900),
  { type: "node", nodeId: "greeting", startMs: 900 },
  speech("agent", "We are open un", 1_200, 4_250),
  speech("agent", "", 5_000, 5_000),
  speech("callee", "a < b & <i>c</i>\n\nand --> d", 3_723_004, 3_723_104),
];

test("the text form has one line for each thing that was heard", () => {
  expect(renderText(ITEMS)).toBe(
    "[00:00] Callee: Hello?\n[00:01] Agent: We are open un ...\n[01:02:03] Callee: a < b & <i>c</i> and --> d\n",
  );
});

test("captions for players are numbered, timed, and cannot be broken by what was said", () => {
  expect(renderSrt(ITEMS)).toBe(
    [
      "1\n00:00:00,480 --> 00:00:00,980\nCallee: Hello?\n\n",
      "2\n00:00:01,200 --> 00:00:04,250\nAgent: We are open un\n\n",
      "3\n01:02:03,004 --> 01:02:03,504\nCallee: a b & ic/i and -- d\n\n",
    ].join(""),
  );
});

test("captions for browsers name the speaker and escape what was said", () => {
  expect(renderVtt(ITEMS)).toBe(
    [
      "WEBVTT\n\n",
      "00:00:00.480 --> 00:00:00.980\n<v Callee>Hello?</v>\n\n",
      "00:00:01.200 --> 00:00:04.250\n<v Agent>We are open un</v>\n\n",
      "01:02:03.004 --> 01:02:03.504\n<v Callee>a &lt; b &amp; &lt;i&gt;c&lt;/i&gt; and --&gt; d</v>\n\n",
    ].join(""),
  );
});

test("a long speech is cut into captions of two short lines, and all of it is shown in its time", () => {
  const said = "Thank you for calling. Our office is open from Monday to Friday between nine in the morning and six.";
  const items = [speech("agent", said, 1_000, 7_000)];
  const blocks = renderSrt(items).trim().split("\n\n");
  expect(blocks).toEqual([
    "1\n00:00:01,000 --> 00:00:04,835\nAgent: Thank you for calling. Our office\nis open from Monday to Friday",
    "2\n00:00:04,835 --> 00:00:07,000\nAgent: between nine in the morning and\nsix.",
  ]);
  expect(renderVtt(items)).toContain("\n<v Agent>between nine in the morning and\nsix.</v>\n\n");
  expect(renderText(items)).toBe(`[00:01] Agent: ${said}\n`);
});

test("text without spaces is split between characters, never inside one", () => {
  const family = "👩‍👩‍👧‍👦";
  const [, , ...lines] = renderSrt([speech("callee", `${"東".repeat(50)}${family}`, 0, 4_000)])
    .trim()
    .split("\n");
  expect(lines).toEqual([`Callee: ${"東".repeat(34)}`, `${"東".repeat(16)}${family}`]);
});

test("captions overlap where both spoke simultaneously, in the order in which they began", () => {
  const items = [
    speech(
      "agent",
      "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
      0,
      8_000,
    ),
    speech("callee", "Wait!", 2_000, 2_600),
  ];
  const times = renderVtt(items).match(/^.* --> .*$/gm);
  expect(times).toEqual([
    "00:00:00.000 --> 00:00:05.674",
    "00:00:02.000 --> 00:00:02.600",
    "00:00:05.674 --> 00:00:08.000",
  ]);
});

test("a speech of nothing that can be shown has no caption, and captions stay numbered without gaps", () => {
  const items = [
    speech("callee", "<>", 0, 500),
    speech("callee", " \n ", 500, 900),
    speech("callee", "Yes.", 1_000, 2_000),
  ];
  expect(renderSrt(items)).toBe("1\n00:00:01,000 --> 00:00:02,000\nCallee: Yes.\n\n");
});

test("an empty transcript renders as empty text, and still as a valid file for browsers", () => {
  expect([renderText([]), renderSrt([]), renderVtt([])]).toEqual(["", "", "WEBVTT\n\n"]);
});

test.each([
  [undefined, "", "json"],
  [undefined, "*/*", "json"],
  [undefined, "text/html, text/vtt;q=0.9", "vtt"],
  [undefined, "text/plain", "text"],
  [undefined, "application/x-subrip", "srt"],
  ["srt", "application/json", "srt"],
] as const)("a request for %s with Accept %j is answered with %s", (asked, accept, format) => {
  expect(chooseFormat(asked, accept)).toBe(format);
});
