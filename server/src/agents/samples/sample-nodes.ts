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
]);

/** Notes what came of the call as `collected.outcome`, and then says goodbye. */
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

/** Somebody else has this number. Nothing more is said about whom the call was for. */
export function wrongNumberNodes(): FlowNode[] {
  const [note, goodbye] = outcomeNodes("wrong_number", "I am sorry to have disturbed you. Goodbye.");
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
        ],
      },
    } as FlowNode,
    goodbye as FlowNode,
  ];
}

/** Somebody has no time now. */
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
        ],
      },
    } as FlowNode,
    goodbye as FlowNode,
  ];
}

/** Somebody wants a person: the call is passed on where `desk_number` says to whom, else it is noted. */
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
        ],
      },
      exits: [{ when: "not isEmpty(variables.desk_number)", next: "pass_on" }],
      otherwise: "wants_human",
    },
    {
      id: "pass_on",
      type: "transfer",
      label: "Pass the call on",
      text: "Of course. I will connect you, one moment please.",
      to: "{{desk_number}}",
      failed: "wants_human",
    },
    ...outcomeNodes("wants_human", "I am sorry, nobody is free right now. Somebody will call you back. Goodbye."),
  ];
}

const MENU = "phone_menu";

/** Behind most menus the key 0 leads to somebody, to whom the call begins anew. */
export function menuNodes(next: string): FlowNode[] {
  return [{ id: MENU, type: "dtmf", label: "Ask a phone menu for a person", keys: "0", next }];
}

/** Samples differ in their nodes and in who they say they are; the rest is the same. */
export function sampleSettings(identification: string): NonNullable<Flow["settings"]> {
  return {
    // The greetings say already that a machine calls.
    disclosure: "This call may be recorded.",
    identification,
    phoneMenu: MENU,
    retries: SAMPLE_RETRIES,
  };
}
