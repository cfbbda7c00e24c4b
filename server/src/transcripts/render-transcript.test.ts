import type { TranscriptItem } from "@parley/contract/transcripts";
import { expect, test } from "vitest";
import { chooseFormat } from "./choose-format.ts";
import { renderSrt, renderText, renderVtt } from "./render-transcript.ts";

const speech = (role: "callee" | "agent", heardText: string, startMs: number, endMs: number): TranscriptItem => ({
  type: "speech",
  role,
  turn: 1,
  text: "what was to be said",
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
      "3\n01:02:03,004 --> 01:02:03,504\nCallee: a  b & ic/i and -- d\n\n",
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

test("nothing said gives nothing to read, and still a valid file for browsers", () => {
  expect([renderText([]), renderSrt([]), renderVtt([])]).toEqual(["", "", "WEBVTT\n\n"]);
});

test.each([
  [undefined, "", "json"],
  [undefined, "*/*", "json"],
  [undefined, "text/html, text/vtt;q=0.9", "vtt"],
  [undefined, "text/plain", "text"],
  [undefined, "application/x-subrip", "srt"],
  ["srt", "application/json", "srt"],
] as const)("asked for %s with Accept %j, the answer is %s", (asked, accept, format) => {
  expect(chooseFormat(asked, accept)).toBe(format);
});
