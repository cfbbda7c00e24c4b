import { describe, expect, it, test } from "vitest";
import { type CalleeIntent, findIntent } from "./callee-intents.ts";
import { isOnlyFiller, plainWords, withoutFillers } from "./plain-words.ts";

const intentOf = (text: string) => findIntent(plainWords(text));

const SAID: Readonly<Record<CalleeIntent, readonly string[]>> = {
  stop_calling: [
    "Stop calling me!",
    "Please don't call me anymore.",
    "Do not ever call this number again.",
    "Take me off your list.",
    "No, and remove my number from your list, please.",
    "Put me on your do not call list.",
    "I told you to never call me again",
    "Quit bothering me",
  ],
  repeat: [
    "What?",
    "Sorry?",
    "Sorry, what was that?",
    "Pardon?",
    "Could you repeat that, please?",
    "Can you say that again?",
    "Say it again, please.",
    "I didn't catch that.",
    "I don't understand.",
    "Excuse me?",
    "Um, what did you say?",
    "Can you speak up?",
    "I'm sorry, I didn't hear you.",
  ],
  anybody_there: ["Hello?", "Hello, hello?", "Are you still there?", "Hello, can you hear me?"],
  wait: ["One moment, please.", "Hold on.", "Wait a second", "Let me check my calendar.", "Just a minute"],
  who_calls: [
    "Who is this?",
    "Who's calling, please?",
    "What is this about?",
    "Where are you calling from?",
    "Who are you?",
  ],
  is_machine: ["Are you a robot?", "Is this a recording?", "Am I talking to a machine?", "Are you a real person?"],
  human: [
    "Human, please.",
    "I want to talk to a real person.",
    "Can I speak to someone?",
    "Let me speak to a human being.",
    "Could you transfer me to a representative?",
    "Operator.",
    "No, put me through to a manager.",
    "I'd like to speak with an agent please",
  ],
  goodbye: ["Goodbye.", "Okay, bye bye.", "I have to go.", "Bye, thank you."],
};

describe.each(Object.entries(SAID))("what a callee says who means %s", (intent, texts) => {
  it.each(texts)("%s", (text) => expect(intentOf(text)).toBe(intent));
});

describe("who wants several things in a row", () => {
  it.each<[text: string, intent: CalleeIntent | null]>([
    ["Hold on, please say that again.", "repeat"],
    ["Hold on, please say that again. Hallo, are you still there?", "repeat"],
    ["Wait a moment, what is this about?", "who_calls"],
    ["Sorry, who is this? Wait a moment. What is this about?", "who_calls"],
    ["Hello? Sorry, are you a robot? Let me speak to a human.", "human"],
    ["Sorry, I have to go.", "goodbye"],
    ["Hello? One moment, please.", "wait"],
    ["One moment, please. Hello?", "anybody_there"],
    ["Hold on, I will come.", null],
    ["Hello, I would like to cancel.", null],
  ])("%s", (text, intent) => expect(intentOf(text)).toBe(intent));
});

test.each([
  "Yes.",
  "No, Thursday.",
  "I will come.",
  "The human at the desk was very friendly, thank you.",
  "Somebody will be there.",
  "What time do you open?",
  "I waited a moment too long and then the operator hung up on me.",
  "No, don't call me about it.",
  "You should stop calling people during lunch",
  "Sorry, I meant Friday.",
  "Say hello to the manager from me.",
  "",
])("an answer is not taken for one of them: %s", (text) => {
  expect(intentOf(text)).toBeNull();
});

test("short and long forms are the same, and fillers are not counted", () => {
  expect(plainWords("I'll be there, don't worry, that's fine")).toEqual(
    plainWords("i will be there do not worry that is fine"),
  );
  expect(withoutFillers(plainWords("Well, um, yes please, thank you"))).toEqual(["yes"]);
  expect(isOnlyFiller(plainWords("Um, well..."))).toBe(true);
  expect(isOnlyFiller(plainWords("Um, yes"))).toBe(false);
});
