import type { FlowNode } from "@parley/contract/flow";
import { APPOINTMENT_CONFIRMATION } from "../appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "../delivery-notice.ts";
import { PAYMENT_REMINDER } from "../payment-reminder.ts";

/** A question of a flow, and other words for its answers than those it lists. */
export interface ParaphrasedQuestion {
  readonly name: string;
  readonly ask: FlowNode;
  /** By the `when` of the exit. */
  readonly said: Readonly<Record<string, readonly string[]>>;
}

/** A line for choosing a department, with as few examples as people in a hurry write. */
const DEPARTMENT: FlowNode = {
  id: "department",
  type: "ask",
  text: "What is it about: a bill, a technical problem, an order, or something you want to return?",
  answer: "choice",
  exits: [
    { when: "a bill", next: "end", phrases: ["billing", "my invoice is wrong", "a question about a payment"] },
    {
      when: "a technical problem",
      next: "end",
      phrases: ["it does not work", "my device is broken", "I need support"],
    },
    { when: "an order", next: "end", phrases: ["where is my order", "I want to order something", "delivery status"] },
    { when: "a return", next: "end", phrases: ["send it back", "I want a refund", "exchange it"] },
  ],
  otherwise: "end",
};

export const PARAPHRASED: readonly ParaphrasedQuestion[] = [
  {
    name: "appointment",
    ask: nodeOf(APPOINTMENT_CONFIRMATION.flow.nodes, "decision"),
    said: {
      "I will come": [
        "You can count on me.",
        "Sure, I'm looking forward to it.",
        "I plan to attend.",
        "It's in my calendar, I'll show up.",
        "Keep the appointment as it is.",
        "Everything stays as agreed.",
      ],
      "another day": [
        "Could we push it back a week?",
        "Is there a slot next month instead?",
        "I'd prefer some time after the holidays.",
        "Tuesday doesn't suit me, what else do you have?",
        "Can you offer me an alternative date?",
        "I need a later appointment.",
      ],
      cancel: [
        "Please delete my booking.",
        "I have decided against it.",
        "Forget about the appointment.",
        "I already went to a different dentist.",
        "Take me out of the schedule.",
        "I have no need for an appointment any longer.",
      ],
    },
  },
  {
    name: "where to leave a parcel",
    ask: nodeOf(DELIVERY_NOTICE.flow.nodes, "place"),
    said: {
      neighbor: [
        "Give it to the lady across the hall.",
        "The family downstairs can take it.",
        "Mister Jones upstairs accepts parcels for me.",
        "Hand it to somebody in the house beside mine.",
      ],
      "at the door": [
        "Just drop it in front of the house.",
        "Put it by the entrance.",
        "You can place it on the steps.",
        "Set it down near the garage.",
      ],
      "another day": [
        "Please try again on Friday.",
        "I'd rather have it next week.",
        "Bring it when I am back from my holiday.",
        "Could you deliver it on the weekend instead?",
      ],
    },
  },
  {
    name: "whether someone is in",
    ask: nodeOf(DELIVERY_NOTICE.flow.nodes, "someone_home"),
    said: {
      yes: [
        "My husband is going to open the door.",
        "I work from home that day.",
        "We are in all day long.",
        "My daughter can take it in.",
      ],
      no: [
        "The house will be empty.",
        "We are away on vacation.",
        "I'm out until the evening.",
        "Everyone is at the office then.",
      ],
    },
  },
  {
    name: "a payment",
    ask: nodeOf(PAYMENT_REMINDER.flow.nodes, "intention"),
    said: {
      "already paid": [
        "The money was transferred last Monday.",
        "That has been settled.",
        "I took care of that bill a while ago.",
        "My bank says the amount went out.",
      ],
      "pay soon": [
        "You'll have the money by Friday.",
        "I am about to transfer it.",
        "I'm going to settle it as soon as my salary arrives.",
        "I'll do it tonight.",
      ],
      "more time": [
        "Could I get an extension?",
        "I'm broke at the moment.",
        "It's difficult for me right now, I lost my job.",
        "Would it be possible to pay in installments?",
      ],
    },
  },
  {
    name: "a department",
    ask: DEPARTMENT,
    said: {
      "a bill": [
        "I was charged twice.",
        "There is a fee on my statement that I do not understand.",
        "Why do I owe you so much money?",
        "My credit card was debited with the wrong amount.",
      ],
      "a technical problem": [
        "My internet keeps dropping.",
        "The screen stays black when I switch it on.",
        "I can't log in to the app.",
        "It crashes all the time.",
      ],
      "an order": [
        "My package has not arrived yet.",
        "I'd like to buy another one.",
        "When will you ship it?",
        "I want to purchase a new phone.",
      ],
      "a return": [
        "It's the wrong size, I don't want to keep it.",
        "Can I have my money back?",
        "I would like to swap it for a different color.",
        "I changed my mind and want to give it back.",
      ],
    },
  },
];

/** What answers none of the questions. */
export const BESIDE_THE_POINT: readonly string[] = [
  "The weather is lovely today.",
  "My cat is sitting on the sofa.",
  "I had soup for lunch.",
  "Do you like football?",
  "How old are you?",
  "The president gave a speech.",
  "I used to live in Canada.",
  "There is a dog barking outside, hang on a bit.",
  "Blue is my favorite color.",
  "My sister plays the piano.",
  "Turn the television down, honey.",
  "Two coffees to go.",
];

function nodeOf(nodes: readonly FlowNode[], id: string): FlowNode {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) throw new Error(`the flow has no node ${id}`);
  return node;
}
