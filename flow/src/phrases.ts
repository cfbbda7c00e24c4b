import type { PhraseName } from "@parley/contract/flow-settings";

/** What an agent says of its own accord, unless its settings word it otherwise. */
export const AGENT_PHRASES: Readonly<Record<PhraseName, string>> = {
  unclear: "Sorry, I did not get that.",
  not_heard: "Sorry, I could not hear you well.",
  again: "Of course.",
  here: "Yes, I am here.",
  take_your_time: "Sure, take your time.",
  go_on: "Yes, please go on.",
  corrected: "All right, {{answer}}.",
  confirm: "So that is {{answer}}, right?",
  confirm_failed: "Sorry about that.",
  clarify: "Did you mean {{first}}, or {{second}}?",
  press_choice: "Press {{key}} for: {{choice}}.",
  press_digits: "You can also enter it with the keys of your phone.",
  press_yes_no: "You can also press one for yes, or two for no.",
  no_human: "I am sorry, nobody is available to take over this call.",
  do_not_call: "I understand, and I am sorry for the trouble. We will not call you again. Goodbye.",
  farewell: "All right. Thank you, and goodbye.",
  trouble: "I am sorry, something went wrong on my side. Could you say that again?",
  moment: "One moment, please.",
};

/** Said when the callee is silent, in order. */
export const SILENCE_PROMPTS: readonly string[] = ["Are you still there?"];

/** Said once in every call, unless the agent words it otherwise or leaves it out. */
export const DISCLOSURE = {
  recorded: "I am an automated assistant, and this call is recorded.",
  plain: "I am an automated assistant.",
};
