import { describe, expect, it, test } from "vitest";
import type { CalleeRequest } from "../../ports/answer-judge.ts";
import { isOnlyFiller, plainWords, withoutFillers } from "./plain-words.ts";
import { findRequest, isAboutQuestion, isSoft, refusesPerson } from "./requests.ts";

const intentOf = findRequest;

const SAID: Readonly<Partial<Record<CalleeRequest, readonly string[]>>> = {
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
    "I'm sorry, I didn't catch you.",
  ],
  anybody_there: ["Hello?", "Hello, hello?", "Are you still there?", "Hello, can you hear me?"],
  wait: ["One moment, please.", "Hold on.", "Wait a second", "Let me check my calendar.", "Just a minute"],
  who_calls: [
    "Which hotel is this again?",
    "Sorry, is that the insurance company?",
    "Brightwater who?",
    "Who is this?",
    "Who's calling, please?",
    "Where are you calling from?",
    "Who are you?",
  ],
  why: [
    "What do you need my height for?",
    "What's that got to do with it?",
    "What is this about?",
    "Why are you calling me?",
    "What do you need that for?",
  ],
  speak_up: ["Can you speak up?", "I can barely hear you", "You're very faint."],
  slower: ["Slow please, I am writing.", "Slow down, please.", "you talk too fast"],
  how_long: ["How long's the visit going to take?", "How long will this take?", "How many more questions are there?"],
  how_much: ["What's that all together?", "How much is it?", "what does it cost"],
  scam: ["Is this a scam?", "This sounds fishy to me.", "How do I know you are really the bank?"],
  number_source: [
    "Who gave you permission to use my number?",
    "Where did you get it?",
    "Where did you get my number?",
    "Who gave you this number?",
  ],
  driving: ["I'm driving.", "I can't talk, I'm behind the wheel."],
  call_later: [
    "Call me back tomorrow.",
    "This is not a good time.",
    "I'm in a meeting, can you ring me later?",
    "Not now, try again on Monday afternoon",
    "try me again Wednesday",
    "get back to me on Friday",
    "Could you reach me tomorrow after five?",
  ],
  wrong_number: ["You have the wrong number.", "There is nobody of that name here."],
  not_person: ["This is her husband.", "She's not at home.", "I'm not the account holder."],
  deceased: [
    "She passed away last month.",
    "My father died in May.",
    "Mom passed in April.",
    "He has passed.",
    "She's dead.",
    "The account holder is dead.",
    "My uncle is dead.",
    "My husband passed unexpectedly.",
    "She has passed, I'm afraid.",
    "He passed at home before Christmas.",
    "Mom passed a couple of months ago.",
  ],
  other_language: ["Türkçe biliyor musunuz?", "No hablo inglés.", "I don't speak English."],
  child: ["I'm only seven.", "Mommy is in the shower.", "Daddy's not here.", "Mommy can't come to the phone."],
  insult: ["You're a bloody pest.", "you brainless machine", "Get lost, you stupid robot.", "shut up"],
  is_machine: ["Are you a robot?", "Is this a recording?", "Am I talking to a machine?", "Are you a real person?"],
  human: [
    "I'd like to talk to the landlady directly.",
    "I'd sooner explain it to the plumber.",
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

describe("a message for someone else is not a wish to be called later", () => {
  it.each(["Please ask her to call me back after lunch.", "Tell him to ring me tomorrow.", "Have them phone again."])(
    "%s",
    (text) => expect(intentOf(text)).toBeNull(),
  );
});

describe("a callee who wants several things in a row", () => {
  it.each<[text: string, intent: CalleeRequest | null]>([
    ["Hold on, please say that again.", "repeat"],
    ["Hold on, please say that again. Hallo, are you still there?", "repeat"],
    ["Wait a moment, what is this about?", "why"],
    ["Sorry, who is this? Wait a moment. What is this about?", "why"],
    ["Hello? Sorry, are you a robot? Let me speak to a human.", "human"],
    ["Sorry, I have to go.", "goodbye"],
    ["Hello? One moment, please.", "wait"],
    ["One moment, please. Hello?", "anybody_there"],
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
  "They gave me my coat and a goodbye.",
  "My cousin passed on his ninth go.",
  "He passed algebra, barely.",
  "She's dead set against it.",
  "Even the doorbell is dead.",
  "Mama's on the low sugar.",
  "So Nana can bring the babies.",
  "No, don't take me off.",
  "Take me off tomorrow.",
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

test.each([
  "no it's dead",
  "I'm ready for the theory, not the driving",
  "I'm driving to work at six",
  "I'm charging my phone in the car",
  "ask me another",
  "let me talk to my mother",
  "it's his wife's decision",
])("%s asks for nothing", (text) => expect(intentOf(text)).toBeNull());

test("a yes or no that was asked for outweighs the goodbye after it", () => {
  expect(isSoft("goodbye", "No, bye.", "yes_no")).toBe(true);
  expect(isSoft("goodbye", "No, bye.", "choice")).toBe(false);
  expect(isSoft("goodbye", "That's it, bye.", "yes_no")).toBe(false);
});

test.each([
  "I haven't been there since my brother died",
  "He passed his exam with honours",
  "I'm driving the kids there myself, so no bus",
  "There's no way I'm driving in this fog",
  "I'm at work till seven on weekdays",
  "My sister usually signs, but she's away",
  "she's out of shape these days",
  "Gloria says I'm going",
  "ask around and if you ask my mother it's fine",
])("%s tells something, and asks for nothing", (text) => expect(intentOf(text)).toBeNull());

test("a callee who is not there is still not the person", () => {
  expect(intentOf("She's out.")).toBe("not_person");
  expect(intentOf("He's not in at the moment.")).toBe("not_person");
});

test("taking a callee off a list answers a question about it, and what speaks of calls never does", () => {
  const question = "Should I cancel your place on the course?";
  expect(isAboutQuestion("stop_calling", "So take me off.", question)).toBe(true);
  expect(isAboutQuestion("stop_calling", "Take me off and stop calling.", question)).toBe(false);
  expect(isAboutQuestion("stop_calling", "Take me off your list.", question)).toBe(false);
  expect(isAboutQuestion("stop_calling", "So take me off.", "Will someone be at home?")).toBe(false);
  const offer = "Would you like someone to call you about it?";
  expect(isAboutQuestion("human", "Yes, get someone on the phone to me.", offer)).toBe(true);
  expect(isAboutQuestion("human", "Put me through to someone.", offer)).toBe(false);
  expect(isAboutQuestion("human", "Get someone on the phone to me.", "Are you coming?")).toBe(false);
});

test.each([
  "don't put me through to anybody",
  "Please don't transfer me to a person.",
  "I don't want to talk to a human, you're fine.",
  "No need to speak to anyone.",
  "You don't have to connect me with a person.",
  "I'd rather not speak to an agent.",
  "no operator please",
  "Don't hand me over to anyone else.",
])("a callee who wants no one else is not taken for one who does: %s", (text) => {
  expect(findRequest(text)).toBeNull();
  expect(refusesPerson(text)).toBe(true);
});

test.each([
  "Why can't I speak to a person?",
  "Don't make me talk to a robot, get me a person.",
  "I don't want a machine, put me through to someone.",
  "I won't say anything until I speak to a human.",
  "Can't I talk to a real person?",
  "Why don't you put me through to somebody?",
  "I don't want to speak to a machine, I want to talk to a person.",
])("a callee who refuses the machine wants a person: %s", (text) => {
  expect(findRequest(text)).toBe("human");
  expect(refusesPerson(text)).toBe(false);
});

test("to wait with something, or until a day, is no wish for a moment", () => {
  expect(findRequest("Wait with it, I have to ask my wife.")).toBeNull();
  expect(findRequest("Wait until Monday.")).toBeNull();
  expect(findRequest("Wait until I find my glasses.")).toBe("wait");
});
