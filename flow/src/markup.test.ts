import { describe, expect, test } from "vitest";
import { parseMarkup, withoutMarkup } from "./markup.ts";

const text = (value: string) => ({ type: "text", text: value });

describe("markup in a spoken text is understood", () => {
  test.each([
    ["no tags at all, 3 < 4 & so on", [text("no tags at all, 3 < 4 & so on")]],
    ["A<break/>B", [text("A"), { type: "break", ms: 400 }, text("B")]],
    ['A <break time="1.5s"/>', [text("A "), { type: "break", ms: 1500 }]],
    ["<break strength='strong' />", [{ type: "break", ms: 700 }]],
    [
      "<emphasis>not</emphasis> now",
      [{ type: "open", tag: { name: "emphasis" } }, text("not"), { type: "close", name: "emphasis" }, text(" now")],
    ],
    [
      '<say-as interpret-as="digits">{{code}}</say-as>',
      [{ type: "open", tag: { name: "say-as", as: "digits" } }, text("{{code}}"), { type: "close", name: "say-as" }],
    ],
    [
      '<phoneme alphabet="ipa" ph="ʃɪˈvɔn">Siobhan</phoneme>',
      [
        { type: "open", tag: { name: "phoneme", ipa: "/ʃɪˈvɔn/" } },
        text("Siobhan"),
        { type: "close", name: "phoneme" },
      ],
    ],
    [
      '<prosody rate="90%">slowly &lt;now&gt;</prosody>',
      [{ type: "open", tag: { name: "prosody", rate: 0.9 } }, text("slowly <now>"), { type: "close", name: "prosody" }],
    ],
  ])("%s", (written, tokens) => {
    expect(parseMarkup(written)).toEqual({ tokens, mistakes: [] });
  });
});

describe("mistakes are named, and what is wrong is never part of the words", () => {
  test.each([
    ["Hello <b>you</b>", "has a tag <b>, which is not supported"],
    ["Hello <emphasis>you", "has <emphasis> without </emphasis>"],
    ["Hello you</emphasis>", "has </emphasis> without a <emphasis> that it closes"],
    ['Wait <break time="9s"/>', 'has <break time="9s"/>; a pause is written <break time="500ms"/>, at most 5s'],
    ['Wait <break tiem="1s"/>', 'has <break tiem="1s"/>; a pause is written <break time="500ms"/>, at most 5s'],
    ['<prosody rate="quick">x</prosody>', "rate is slow, medium, fast or a percentage from 50% to 150%"],
    ['<phoneme ph="">x</phoneme>', "ph is the pronunciation in IPA"],
    ['<phoneme ph="Q7">x</phoneme>', "ph is the pronunciation in IPA"],
    ['<sub alias="">x</sub>', "alias is what is said instead"],
    ['<say-as interpret-as="song">x</say-as>', "interpret-as is one of digits, characters"],
    ['<sub alias="a"><emphasis>x</emphasis></sub>', "has <emphasis> inside <sub>, which is not supported"],
    ["Hello <break time=500ms/> you", "has an incomplete tag <break; write &lt; for the sign itself"],
    ["<speak>Hello</speak>", "has a tag <speak>, which is not supported"],
    ["<!-- note --> Hello", "has an incomplete tag <!--"],
    ["Hello <", null],
  ])("%s", (written, mistake) => {
    const { tokens, mistakes } = parseMarkup(written);
    if (mistake === null) expect(mistakes).toEqual([]);
    else expect(mistakes.join("; ")).toContain(mistake);
    const words = tokens.flatMap((token) => (token.type === "text" ? [token.text] : [])).join("");
    expect(words).not.toMatch(/<[/!A-Za-z]/);
  });
});

test.each([
  ['Hello <break time="500ms"/> Ada.', "Hello Ada."],
  ["One<break/>two", "One two"],
  ["Goodbye<break/>.", "Goodbye."],
  ['Your code is <say-as interpret-as="digits">{{code}}</say-as>.', "Your code is {{code}}."],
  ['<phoneme ph="ʃɪˈvɔn">Siobhan</phoneme> &amp; Ada, 3 < 4', "Siobhan & Ada, 3 < 4"],
  ["two lines\nand no markup", "two lines\nand no markup"],
])("without its markup, a text is the words that are written: %s", (written, words) => {
  expect(withoutMarkup(written)).toBe(words);
});
