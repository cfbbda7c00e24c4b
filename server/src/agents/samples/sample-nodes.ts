import type { Flow, FlowNode } from "@parley/contract/flow";

/** How often every sample asks again, which is often enough to offer keys. */
const SAMPLE_RETRIES = { max: 2 };

/** The outcomes that a sample calls for. */
const SUCCESSES: ReadonlySet<string> = new Set([
  "confirmed",
  "moved",
  "canceled",
  "paid",
  "promised",
  "as_planned",
  "at_the_door",
  "with_neighbor",
  "on_another_day",
  "answered",
  "message_taken",
  "helped",
  "checked_in",
  "callback_requested",
  "question_answered",
  "question_noted",
]);

/** Stores the result of the call as `collected.outcome` and then says goodbye. */
export function outcomeNodes(outcome: string, text: string): FlowNode[] {
  return [
    {
      id: outcome,
      type: "set",
      label: `Outcome: ${outcome.replaceAll("_", " ")}`,
      values: [{ saveAs: "outcome", value: JSON.stringify(outcome) }],
      next: `${outcome}_bye`,
    },
    { id: `${outcome}_bye`, type: "end", text, outcome, success: SUCCESSES.has(outcome) },
  ];
}

/** The number belongs to someone else. Nothing more is said about whom the call was for. */
export function wrongNumberNodes(): FlowNode[] {
  const [note, goodbye] = outcomeNodes("wrong_number", "I'm so sorry to have disturbed you. Goodbye.");
  return [
    {
      ...note,
      global: {
        phrases: [
          "wrong number",
          "you have the wrong number",
          "there is nobody of that name here",
          "nobody by that name here",
          "I don't know that person",
          "you called the wrong person",
          "you've got the wrong house",
        ],
      },
    } as FlowNode,
    goodbye as FlowNode,
  ];
}

/** The callee has no time now. */
export function notNowNodes(text: string): FlowNode[] {
  const [note, goodbye] = outcomeNodes("not_now", text);
  return [
    {
      ...note,
      global: {
        phrases: [
          "call me later",
          "I am busy",
          "this is a bad time",
          "I have no time",
          "I am driving",
          "not a good time",
          "I'm in a meeting",
          "can you call back another time",
        ],
      },
    } as FlowNode,
    goodbye as FlowNode,
  ];
}

const IS_DESK_KNOWN = "not isEmpty(variables.desk_number)";

/** The callee wants a person: the call is transferred to `desk_number` if set, else the request is recorded. */
export function humanNodes(): FlowNode[] {
  return [
    {
      id: "human",
      type: "branch",
      label: "Is there somebody to pass the call to?",
      global: {
        phrases: [
          "human please",
          "talk to a human",
          "speak to a person",
          "real person",
          "talk to somebody",
          "operator",
          "put me through to the front desk",
          "connect me with customer service",
          "can I speak to the receptionist",
          "let me talk to someone who works there",
        ],
      },
      exits: [{ when: IS_DESK_KNOWN, next: "pass_on" }],
      otherwise: "wants_human",
    },
    {
      id: "pass_on",
      type: "transfer",
      label: "Pass the call on",
      text: "Of course. I'll connect you now, one moment please.",
      to: "{{desk_number}}",
      failed: "wants_human",
    },
    ...outcomeNodes("wants_human", "I'm sorry, no one's free to talk right now. Someone will call you back. Goodbye."),
  ];
}

/** Where an unanswered question continues: with a person where there is one, else with a goodbye. */
export const LOST = "lost";

/** The callee could not be understood, however often and by keys: a person takes over, or the call ends as `not_understood`. */
export function lostNodes(text: string): FlowNode[] {
  return [
    {
      id: LOST,
      type: "branch",
      label: "Can somebody else help?",
      exits: [{ when: IS_DESK_KNOWN, next: "hand_over" }],
      otherwise: "not_understood",
    },
    {
      id: "hand_over",
      type: "transfer",
      label: "Pass the call on",
      text: "I'm sorry, I'm having trouble understanding you. Let me get someone who can help.",
      to: "{{desk_number}}",
      failed: "not_understood",
    },
    ...outcomeNodes("not_understood", text),
  ];
}

const MENU = "phone_menu";

/** In most menus the key 0 leads to a person, with whom the call starts over. */
export function menuNodes(next: string): FlowNode[] {
  return [{ id: MENU, type: "dtmf", label: "Ask a phone menu for a person", keys: "0", next }];
}

type Settings = NonNullable<Flow["settings"]>;

/** Samples differ in their nodes, their introduction and their facts; the rest is the same. */
export function sampleSettings(identification: string, phrases: Settings["phrases"] = {}): Settings {
  return {
    disclosure: "I'm an automated assistant, and this call may be recorded.",
    identification,
    phoneMenu: MENU,
    retries: SAMPLE_RETRIES,
    callback: { offer: true },
    phrases,
  };
}
