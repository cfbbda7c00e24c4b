import { describe, expect, test } from "vitest";
import { cleanReply, ReplyCleaner } from "./reply-cleaner.ts";
import { spokenReply } from "./spoken-form.ts";

const CASES: readonly (readonly [written: string, spoken: string])[] = [
  ["Your visit is on **Tuesday**, okay?", "Your visit is on Tuesday, okay?"],
  ["That is *very* kind, __really__.", "That is very kind, really."],
  ["Use the `reset` button.", "Use the reset button."],
  ["## Your options\n\nYou can come at ten.", "Your options\n\nYou can come at ten."],
  ["- One thing\n- Another thing", "One thing\nAnother thing"],
  ["1. Call us\n2) Wait", "Call us\nWait"],
  ["> As you said, fine.", "As you said, fine."],
  ["See [our page](https://example.com/a?b=c) for more.", "See our page for more."],
  ["See [the **new** page](https://example.com) now.", "See the new page now."],
  ["Look ![a cat](cat.png) here.", "Look here."],
  ["Go to https://www.example.com/terms/2024?x=1#y.", "Go to the link."],
  ["Go to https://www.example.com/.", "Go to example.com."],
  ["Go to https://example.com:8443 now.", "Go to the link now."],
  ["Pay at pay.example.com/i/8f3a9 today.", "Pay at the link today."],
  ["https://example.com/a/b is the page.", "The link is the page."],
  ["Fine. https://example.com/a/b has it.", "Fine. The link has it."],
  ["Here is the link: https://example.com/a?b=c. Anything else?", "Here is the link. Anything else?"],
  ["Click here https://example.com/a to pay.", "Click here to pay."],
  ["Open this https://example.com/a please.", "Open this link please."],
  ["Our website is https://www.example.com/en/start.", "Our website is example.com."],
  [
    "These may help:\n- https://example.com/a\n- https://example.com/b\nAnything else?",
    "These may help:\n\n\nAnything else?",
  ],
  ["**https://example.com/a** has it.", "The link has it."],
  ["Write to <ada@example.com>, please.", "Write to ada@example.com, please."],
  ["Write to mailto:ada@example.com.", "Write to ada@example.com."],
  ["Write to [us](mailto:ada@example.com).", "Write to us."],
  ["Write to **ada_b@example.com** now.", "Write to ada_b@example.com now."],
  ["Go to www.example.com, please.", "Go to example.com, please."],
  ["It is here (https://example.com/x).", "It is here."],
  ["Great! 😀👍🏽 See you 🇩🇪 then ❤️.", "Great! See you then."],
  ["A family 👨‍👩‍👧 ticket.", "A family ticket."],
  ["<p>Hello</p> there<br/>you", "Hello thereyou"],
  ['Wait <break time="1s"/> please.', "Wait please."],
  ["```js\nconst a = 1;\n```\nDone.", "\n\n\nDone."],
  ["| day | time |\n|---|---|\n| Monday | ten |", ", day, time, \n\n, Monday, ten, "],
  ["One\n---\nTwo", "One\n\nTwo"],
  ["It costs $5 - 10% less.", "It costs $5 - 10% less."],
  ["3 * 4 is 12.", "3 times 4 is 12."],
  ["snake_case stays, and so does rock'n'roll.", "snake_case stays, and so does rock'n'roll."],
  ["Write to ada@example.com or call +1 415 555 0100.", "Write to ada@example.com or call +1 415 555 0100."],
  ["Is 3 < 4 [or so]?", "Is 3 < 4 [or so]?"],
  ["We have 10. That is enough.", "We have 10. That is enough."],
];

describe("the reply of a model loses what is made for the eye", () => {
  test.each(CASES)("%j", (written, spoken) => {
    expect(plain(cleanReply(written))).toBe(plain(spoken));
  });

  test.each(CASES)("%j, letter by letter", (written, spoken) => {
    const cleaner = new ReplyCleaner();
    const pieces = [...Array.from(written, (letter) => cleaner.push(letter)), cleaner.end()];
    expect(plain(pieces.join(""))).toBe(plain(spoken));
  });
});

test.each([
  [
    "Write to [us](mailto:help@example.com), or to john.smith@example.com.",
    "Write to us, or to john dot smith at example dot com.",
  ],
  ["It is <j_doe99@mail.co.uk>.", "It is J underscore doe nine nine at mail dot co dot U K."],
  ["Go to https://www.example.com/ now.", "Go to example dot com now."],
  ["Go to https://example.com/a-b_c?d=%20e&f=1 now.", "Go to the link now."],
])("addresses of mail are said in words, and links are not read: %j", (written, spoken) => {
  expect(spokenReply(cleanReply(written), { language: "en-US" })).toBe(spoken);
});

test("words are passed on as soon as they are complete", () => {
  const cleaner = new ReplyCleaner();
  expect(cleaner.push("Hello there. How are")).toBe("Hello there. How ");
  expect(cleaner.push(" you?\n")).toBe("are you?\n");
});

test("a bracket that never closes does not hold a reply back", () => {
  const cleaner = new ReplyCleaner();
  const given = cleaner.push(`Hello [${"word ".repeat(100)}`);
  expect(given.length).toBeGreaterThan(400);
});

/** Spaces do not matter to a voice. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/ (?=[.,!?])/g, "")
    .trim();
}
