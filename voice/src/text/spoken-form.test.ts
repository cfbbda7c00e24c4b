import { describe, expect, test } from "vitest";
import { splitClauses } from "../conversation/texts/clauses.ts";
import { plainText, readClause } from "../ports/speech-notation.ts";
import { type SpeakingStyle, spokenForm, spokenReply } from "./spoken-form.ts";

const ENGLISH: SpeakingStyle = { language: "en-US" };
const LIST = [
  { written: "Siobhan", spoken: "/ʃɪˈvɔn/" },
  { written: "Acme Corp.", spoken: "ack me" },
  { written: "SQL", spoken: "sequel" },
];
const partsOf = (text: string, style: SpeakingStyle = ENGLISH) => readClause(spokenForm(text, {}, style)).parts;

describe("markup is spoken, and never shown", () => {
  test.each([
    ["Wait<break time='1s'/> now.", "Wait now."],
    ["This is <emphasis>not</emphasis> a test.", "This is not a test."],
    ['<sub alias="World Wide Web Consortium">W3C</sub> calls.', "World Wide Web Consortium calls."],
    ['Your code is <say-as interpret-as="digits">120453</say-as>.', "Your code is one two zero four, five three."],
    ['It is <say-as interpret-as="characters">ab1</say-as>.', "It is A, B, one."],
    [
      'Call <say-as interpret-as="telephone">4155550100</say-as>.',
      "Call four one five, five five five, zero one zero zero.",
    ],
    ['That is <say-as interpret-as="currency">12.50</say-as>.', "That is twelve dollars and fifty cents."],
    ['That is <say-as interpret-as="currency">$12.50</say-as>.', "That is twelve dollars and fifty cents."],
    ['That is <say-as interpret-as="currency">£12.50</say-as>.', "That is twelve pounds and fifty pence."],
    ["That is $12.50.", "That is twelve fifty."],
    ['On <say-as interpret-as="date">2026-03-05</say-as>.', "On March fifth, twenty twenty-six."],
    ['<phoneme ph="ʃɪˈvɔn">Siobhan</phoneme>, hello.', "Siobhan, hello."],
    ['<prosody rate="slow">Listen.</prosody> Thanks.', "Listen. Thanks."],
    ["Tom &amp; Ada pay 3 &lt; 4.", "Tom and Ada pay three < four."],
  ])("%s", (text, plain) => {
    expect(
      splitClauses(spokenForm(text, {}, ENGLISH))
        .map(plainText)
        .join(" ")
        .replace(/\s+/g, " "),
    ).toBe(plain);
  });

  test("what is wrong in a draft is left out instead of being read aloud", () => {
    expect(plainText(spokenForm("Hello <b>you</b> <break tiem='2'/>there.", {}, ENGLISH))).toBe("Hello you there.");
  });

  test("markup and marks in values are words of the callee's, not markup", () => {
    const spoken = spokenForm("Hello {{name}}.", { name: "<break time='5s'/>\uE105900\uE106 Ada" }, ENGLISH);
    expect(readClause(spoken).pauseMs).toBe(0);
    expect(plainText(spoken)).toContain("Ada");
  });

  test("a value inside markup is interpreted, and an optional part may contain markup", () => {
    const text = 'Hello. [[Code <say-as interpret-as="digits">{{code}}</say-as>.]]';
    expect(plainText(spokenForm(text, { code: "42" }, ENGLISH))).toBe("Hello. Code four two.");
    expect(plainText(spokenForm(text, {}, ENGLISH))).toBe("Hello.");
  });
});

describe("clauses carry their own marks", () => {
  test("a pause ends a clause, and the pace lasts as long as it was set for", () => {
    const style = { ...ENGLISH, pace: 0.9 };
    const text =
      'Hello there.<break time="700ms"/> Now <prosody rate="200%">no</prosody> <prosody rate="50%">slowly please</prosody>, thanks.';
    const clauses = splitClauses(spokenForm(text.replace(' <prosody rate="200%">no</prosody>', ""), {}, style));
    expect(clauses.map((clause) => [plainText(clause), readClause(clause).pace, readClause(clause).pauseMs])).toEqual([
      ["Hello there.", 0.9, 700],
      ["Now", 0.9, 0],
      ["slowly please", 0.45, 0],
      [", thanks.", 0.9, 0],
    ]);
  });

  test("words between white space are the same with and without marks", () => {
    const spoken = spokenForm(
      "Hello <emphasis>dear Siobhan</emphasis>, Acme Corp. calls.",
      {},
      { ...ENGLISH, pronunciations: LIST },
    );
    expect(spoken.split(/\s+/)).toHaveLength(plainText(spoken).split(/\s+/).length);
  });
});

describe("listed words have their pronunciation", () => {
  const style = { ...ENGLISH, pronunciations: LIST };

  test.each([
    ["siobhan", "/ʃɪˈvɔn/"],
    ["SIOBHAN", "/ʃɪˈvɔn/"],
    ["Siobhan's", "/ʃɪˈvɔnz/"],
    ["Siobhan’s", "/ʃɪˈvɔnz/"],
    ["acme  corp.", "ack me"],
    ["SQL", "sequel"],
  ])("%s", (written, spoken) => {
    expect(partsOf(`Hello ${written} there`, style)).toContainEqual({
      type: "said_as",
      written,
      spoken,
      hasEmphasis: false,
    });
  });

  test.each(["Siobhanna", "MySQL", "SQLs", "Acme"])("%s is another word", (word) => {
    expect(partsOf(word, style)).toEqual([{ type: "text", text: word }]);
  });

  test("the first entry of a word counts, and a pronunciation in the text itself more than the list", () => {
    const twice = [
      { written: "Ada", spoken: "ah-da" },
      { written: "ADA", spoken: "ay-da" },
    ];
    expect(partsOf("Ada", { ...ENGLISH, pronunciations: twice })).toMatchObject([{ spoken: "ah-da" }]);
    const text = '<phoneme ph="ˈsɪv">Siobhan</phoneme>';
    expect(partsOf(text, style)).toMatchObject([{ spoken: "/ˈsɪv/" }]);
  });

  test("replies of a language model and values of the call are listed words too", () => {
    expect(readClause(spokenReply("I call for Siobhan.", style)).parts).toContainEqual(
      expect.objectContaining({ written: "Siobhan" }),
    );
    expect(readClause(spokenForm("Hi {{name}}", { name: "Siobhan" }, style)).parts).toContainEqual(
      expect.objectContaining({ written: "Siobhan" }),
    );
  });
});
