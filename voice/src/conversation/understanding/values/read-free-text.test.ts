import type { AskNode } from "@parley/contract/flow-ask";
import { expect, test } from "vitest";
import type { OpenQuestion } from "../question-context.ts";
import { readFreeText } from "./read-free-text.ts";

function open(text: string): OpenQuestion {
  const ask: AskNode = { id: "ask", type: "ask", text, answer: "free_text", exits: [], otherwise: "bye" };
  return {
    ask,
    text,
    known: { dates: [], times: [] },
    exitForMoment: null,
    moment: { date: null, time: null },
    within: null,
    dictated: "",
    calledNumber: null,
  };
}

const why = open("Why are you returning the sofa?");
const problem = open("What is wrong with the heating?");

test.each([
  [why, "It's far too big for the room."],
  [why, "the color isn't what I expected, not at all"],
  [why, "My wife hates it."],
  [why, "Maybe a bit too soft, I'm not sure what it is."],
  [why, "I waited six weeks for it, need I say more?"],
  [why, "I just don't need it any more"],
  [problem, "Nothing, it works fine."],
  [problem, "I haven't noticed anything."],
  [problem, "it makes a noise like my neighbor's dog, ask anyone in the house and they'll tell you"],
  [problem, "I don't know exactly but it drips"],
  [open("What is your question?"), "Do you have parking?"],
  [open("Is there anything else we should know?"), "No"],
  [why, "I need to see a doctor about the old one first, it gave me a bad back"],
  [problem, "yes it's a beast of a thing and it leaks"],
  [problem, "I can't say I've heard it myself, but the neighbors call it a howl"],
  [problem, "I couldn't tell you the name of it, but the round valve drips"],
  [problem, "it depends on the weather, when it is cold the whole thing shuts down every night"],
  [problem, "let me tell you, it howls"],
  [problem, "That's a good question for the plumber, it hums."],
  [problem, "Ask me another, it has never worked"],
  [why, "It's not the sofa we wanted"],
  [open("What would you like to ask us?"), "How soon can I have it back?"],
  [open("Do you have any further questions?"), "Is it covered?"],
])("%o: %j is an answer", (question, text) => {
  expect(readFreeText(text, question)).toEqual({ type: "answer", answer: { value: text, exit: null } });
});

test.each([
  [why, "I'd rather not say."],
  [why, "That's none of your business."],
  [why, "it's private"],
  [why, "I don't want to talk about it"],
  [why, "I'll tell you if you give me a discount."],
  [why, "I'm not returning it at all."],
  [why, "who says I'm returning it?"],
  [why, "Can you hear the rain? Awful weather."],
  [why, "You'd have to ask my husband."],
  [why, "It's mainly that"],
  [problem, "My son looks after that, ask him."],
  [problem, "The roof leaks, is that what you asked?"],
  [problem, "when I turn the"],
  [problem, "Um, well..."],
  [problem, "yes"],
  [problem, "okay, go ahead"],
  [why, "I'll have to think about that"],
  [why, "let me check"],
  [why, "somebody's at the door, hang on"],
  [why, "give me a second please"],
  [why, "I've got"],
  [why, "well, I could"],
  [problem, "the van's"],
  [why, "Are you sure it's me, because nobody told me anything?"],
  [why, "would they take it back if I had the receipt"],
  [open("May I ask why you are leaving?"), "Does it matter for the deposit?"],
  [open("One last question. What did you like best?"), "Is it going to take long?"],
  [problem, "I couldn't tell you, I only rent the place."],
  [problem, "Wouldn't have the faintest idea, sorry"],
  [problem, "beats me"],
  [problem, "I haven't really given it any thought yet"],
  [problem, "Hmm, that's a tough one, let me think"],
  [problem, "Let me go and have a look at it"],
  [problem, "well, that depends who you ask"],
  [problem, "You'd better ask Mrs Donnelly"],
  [problem, "it starts as soon as we"],
  [problem, "there's water under my"],
  [why, "I'd rather not get into it"],
])("%o: %j is none", (question, text) => {
  expect(readFreeText(text, question)).toEqual({ type: "none" });
});
