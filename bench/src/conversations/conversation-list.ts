import { Flow } from "@parley/contract/flow";

/** A callee with a goal, and the possible outcomes of the call. */
export interface Conversation {
  readonly agent: AgentName;
  /** How the callee answers. */
  readonly class: string;
  /** After "Hello?", one line for each turn of the agent. A callee who is asked back says it again in other words. */
  readonly says: readonly string[];
  /** The outcomes that the callee wanted. `none` is a call that ends without one. */
  readonly right: readonly string[];
  /** Values that the callee named; another value is wrong. */
  readonly collects?: Readonly<Record<string, string | number>>;
}

export type AgentName =
  | "Appointment confirmation"
  | "Satisfaction survey"
  | "Delivery notice"
  | "Payment reminder"
  | "Visit follow-up"
  | "Membership";

/** The outcomes by which an agent acts. One that the callee did not want is wrong; not understanding is not. */
export const ACTING: Readonly<Record<AgentName, readonly string[]>> = {
  "Appointment confirmation": ["confirmed", "moved", "canceled", "wrong_number"],
  "Satisfaction survey": ["answered", "refused", "wrong_number"],
  "Delivery notice": ["as_planned", "with_neighbor", "at_the_door", "on_another_day", "wrong_number"],
  "Payment reminder": ["paid", "promised", "requested", "wrong_person", "wrong_number"],
  "Visit follow-up": ["checked_in", "callback_requested", "question_noted", "wrong_number"],
  Membership: ["kept", "paused", "ended"],
};

export const VARIABLES: Readonly<Record<AgentName, Readonly<Record<string, string>>>> = {
  "Appointment confirmation": {
    first_name: "Ada",
    from_whom: "from Green Street Dental",
    appointment_time: "on Tuesday at ten",
  },
  "Satisfaction survey": { first_name: "Ada", from_whom: "from the Harbor Inn", subject: "about your dinner" },
  "Delivery notice": {
    first_name: "Ada",
    from_whom: "from Swift Parcels",
    delivery_time: "tomorrow between ten and noon",
  },
  "Payment reminder": {
    full_name: "Ada Lovelace",
    from_whom: "from City Power",
    amount: "of forty dollars",
    due_date: "on Friday",
  },
  "Visit follow-up": { first_name: "Ada", from_whom: "from Green Street Clinic", visit: "on Monday" },
  Membership: {},
};

const outcome = (name: string) => [
  { id: name, type: "set", values: [{ saveAs: "outcome", value: JSON.stringify(name) }], next: `${name}_bye` },
  { id: `${name}_bye`, type: "end", text: "Thank you. Goodbye." },
];

/** An agent as a customer writes it: no read-back, no global nodes, few phrases. */
export const MEMBERSHIP: Flow = Flow.parse({
  schemaVersion: 1,
  // A voice that needs no rendering ahead.
  settings: { retries: { max: 2 }, voice: "slt" },
  nodes: [
    { id: "start", type: "start", next: "plan" },
    {
      id: "plan",
      type: "ask",
      text: "Hello, this is an automated call from Summit Gym. Would you like to keep your membership, pause it for a month, or end it?",
      answer: "choice",
      saveAs: "plan",
      exits: [
        { when: "keep my membership", next: "kept", phrases: ["stay a member", "carry on as before"] },
        { when: "pause it", next: "paused", phrases: ["take a break", "freeze it for a month"] },
        { when: "end it", next: "ended", phrases: ["cancel my membership", "I want to quit"] },
      ],
      otherwise: "not_understood",
    },
    ...["kept", "paused", "ended", "not_understood"].flatMap(outcome),
  ],
});

const about =
  (agent: AgentName) =>
  (
    kind: string,
    right: readonly string[],
    says: readonly string[],
    collects?: Conversation["collects"],
  ): Conversation => ({
    agent,
    class: kind,
    right,
    says,
    ...(collects === undefined ? {} : { collects }),
  });

const appointment = about("Appointment confirmation");
const survey = about("Satisfaction survey");
const delivery = about("Delivery notice");
const payment = about("Payment reminder");
const followUp = about("Visit follow-up");
const membership = about("Membership");

/** The first is the quick form. */
export const CONVERSATIONS: readonly Conversation[] = [
  appointment("agrees", ["confirmed"], ["Sure, I will be there.", "Yes, I am coming."]),
  delivery("wrong_number", ["wrong_number"], ["Sorry, you have the wrong number."]),
  membership("declines", ["ended"], ["I want to cancel my membership.", "Yes, please end it."]),

  appointment("agrees", ["confirmed"], ["Absolutely, that still works for me.", "Yes, I will come."]),
  appointment(
    "declines",
    ["canceled"],
    ["No, please cancel it.", "Yes, I really want to cancel.", "Yes, please cancel it."],
  ),
  appointment(
    "another_day",
    ["moved"],
    [
      "Could we make it Friday instead?",
      "On Friday at three in the afternoon.",
      "Yes, Friday at three is right.",
      "Yes, Friday at three.",
    ],
    { new_time: "15:00" },
  ),
  appointment(
    "volunteers",
    ["moved"],
    [
      "I can't come, can we do Friday at nine in the morning?",
      "Yes, Friday at nine in the morning.",
      "Yes, Friday at nine is right.",
    ],
    { new_time: "09:00" },
  ),
  appointment("condition", [], ["I will come if my boss lets me.", "I don't know yet.", "I really can't say yet."]),
  appointment("doubt", [], ["I might be able to come.", "I'm not sure.", "I have to check first."]),
  appointment(
    "question_back",
    ["confirmed"],
    ["How long will it take?", "Okay, then I will be there.", "Yes, I will come."],
  ),
  appointment("hearsay", ["confirmed"], ["My wife says I should cancel.", "No, I want to come.", "Yes, I will come."]),
  appointment("third_person", ["confirmed"], ["My brother can't come.", "But I will be there.", "Yes, I am coming."]),
  appointment(
    "correction",
    ["confirmed"],
    ["Cancel it. No, wait, I will come.", "Yes, I will come as planned.", "Yes, I am coming."],
  ),
  appointment(
    "robot_question",
    ["confirmed"],
    ["Am I talking to a robot?", "Okay. I will be there.", "Yes, I am coming."],
  ),
  appointment("wrong_number", ["wrong_number"], ["There is nobody of that name here.", "You have the wrong number."]),
  appointment("deceased", ["none"], ["I'm sorry, she passed away last month."]),
  appointment("call_later", ["not_now"], ["I'm driving right now, please call me later."]),
  appointment("wants_person", ["wants_human"], ["Can I talk to a real person, please?"]),

  survey("agrees", ["answered"], ["Sure, go ahead.", "Four.", "The waiter was very friendly.", "Yes, I would."], {
    rating: 4,
  }),
  survey("declines", ["refused"], ["No thanks, I'm not interested."]),
  survey("correction", ["answered"], ["Yes, go ahead.", "Three. No, five.", "Everything was clean.", "Yes, I would."], {
    rating: 5,
  }),
  survey(
    "question_back",
    ["answered"],
    ["How long does it take?", "Okay, go ahead.", "Two.", "It was too loud.", "No, thank you.", "No, I would not."],
    { rating: 2 },
  ),
  survey(
    "doubt",
    ["answered"],
    ["Yes, go ahead.", "Somewhere between three and four.", "Let's say three.", "The soup was cold.", "Yes, I would."],
    { rating: 3 },
  ),
  survey("call_later", ["not_now"], ["I have no time now, call me tomorrow."]),
  survey("wants_person", ["wants_human"], ["I want to speak to a person."]),
  survey(
    "robot_question",
    ["answered"],
    ["Are you a machine?", "All right, go ahead.", "Five.", "The view was great.", "Yes, I would."],
    { rating: 5 },
  ),
  survey("wrong_number", ["wrong_number"], ["I think you have the wrong number."]),

  delivery("agrees", ["as_planned"], ["Yes, I will be home.", "Yes, somebody will be there."]),
  delivery(
    "declines",
    ["at_the_door"],
    ["No one will be there.", "At the front door, please.", "Yes, at the front door."],
  ),
  delivery("volunteers", ["with_neighbor"], ["No, I'm at work.", "With the neighbor, please.", "Mrs. Brown."]),
  delivery(
    "another_day",
    ["on_another_day"],
    ["No, we will be away.", "Another day, please.", "On Friday.", "Yes, on Friday.", "Yes, on Friday."],
  ),
  delivery("condition", [], ["It depends on my train.", "I don't know yet.", "I really can't say."]),
  delivery("third_person", ["as_planned"], ["My son will be home.", "Yes, somebody will be there."]),
  delivery(
    "question_back",
    ["as_planned"],
    ["What time will it come?", "Okay, I will be home.", "Yes, somebody will be there."],
  ),
  delivery(
    "correction",
    ["at_the_door"],
    ["Yes. No, wait, nobody will be there.", "Please leave it at the front door.", "Yes, at the front door."],
  ),
  delivery(
    "robot_question",
    ["as_planned"],
    ["Is this a recording?", "Okay. Yes, I will be home.", "Yes, I will be home."],
  ),
  delivery("call_later", ["not_now"], ["This is a bad time, I'm in a meeting."]),
  delivery("wants_person", ["wants_human"], ["Let me talk to somebody, please."]),

  payment(
    "agrees",
    ["promised"],
    ["Yes, that's me.", "I will pay it on Friday.", "Yes, on Friday.", "Yes, that's right."],
  ),
  payment("declines", ["wrong_person"], ["No, she is not here."]),
  payment("paid", ["paid"], ["Yes, speaking.", "I have already paid it.", "Yes, all of it.", "Yes, it is all paid."]),
  payment(
    "negation",
    ["requested"],
    ["Yes, that's me.", "I never paid it.", "I need more time.", "Until Friday.", "Yes, until Friday."],
  ),
  payment(
    "part",
    ["requested"],
    ["Yes, that's me.", "I only paid half of it.", "I need more time.", "Until Friday.", "Yes, until Friday."],
  ),
  payment("hearsay", [], ["Yes, that's me.", "My husband says that he paid it.", "I don't know.", "I am not sure."]),
  payment(
    "condition",
    [],
    ["Yes, that's me.", "I will pay if my salary comes in.", "I can't say yet.", "I don't know."],
  ),
  payment(
    "question_back",
    ["promised"],
    ["Yes, that's me.", "How much is it?", "I will pay it on Friday.", "Yes, on Friday.", "Yes, that's right."],
  ),
  payment("deceased", ["none"], ["He died two weeks ago."]),
  payment("call_later", ["not_now"], ["Yes, that's me.", "I'm busy, please call me later."]),
  payment("wrong_number", ["wrong_number"], ["You have the wrong number."]),

  followUp("agrees", ["checked_in"], ["Much better, thank you.", "No, I have no questions.", "No questions."]),
  followUp("declines", ["checked_in"], ["About the same.", "No, I don't need a nurse.", "No, no questions."]),
  followUp(
    "volunteers",
    ["callback_requested"],
    ["I feel worse, it hurts more.", "Yes, please.", "Tomorrow.", "At ten in the morning.", "Yes, that's right."],
    { callback_time: "10:00" },
  ),
  followUp("negation", ["checked_in"], ["It is not worse, it is better.", "I am better.", "No, no questions."]),
  followUp(
    "third_person",
    ["checked_in"],
    ["My mother feels worse.", "I am much better.", "No, I have no questions.", "No."],
  ),
  followUp("robot_question", ["checked_in"], ["Are you a robot?", "I feel better.", "No, I have no questions."]),
  followUp("wants_person", ["wants_human"], ["Can I speak to a human, please?"]),

  membership("agrees", ["kept"], ["I would like to keep my membership.", "Yes, keep it."]),
  membership("another_way", ["paused"], ["Could I take a break for a month?", "Yes, please pause it."]),
  membership("doubt", [], ["I might want to end it.", "I don't know.", "I am not sure yet."]),
  membership("correction", ["kept"], ["End it. No, sorry, keep it.", "I want to keep my membership.", "Yes, keep it."]),
];
