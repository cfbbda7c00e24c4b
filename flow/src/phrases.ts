import type { PhraseName } from "@parley/contract/flow-settings";

/** What an agent says on its own initiative, unless its settings word it otherwise. */
export const AGENT_PHRASES: Readonly<Record<PhraseName, string>> = {
  unclear: "Sorry, I didn't get that.",
  unclear_again: "I'm sorry, I still didn't get that.",
  not_heard: "Sorry, I couldn't hear you well.",
  not_heard_again: "I'm sorry, I still can't hear you well.",
  again: "Of course.",
  here: "Yes, I'm here.",
  take_your_time: "Sure, take your time.",
  go_on: "Yes, please go on.",
  corrected: "All right, {{answer}}.",
  confirm: "That's {{answer}}, is that right?",
  confirm_again: "I have {{answer}}. Is that correct?",
  confirm_choice: "Just to be sure: {{answer}}. Is that right?",
  confirm_choice_again: "So {{answer}}, yes or no?",
  confirm_yes: "Sorry, was that a yes?",
  confirm_no: "Sorry, was that a no?",
  yes_or_no: "Is that a yes or a no?",
  confirm_failed: "Sorry about that.",
  clarify: "Sorry, did you say {{first}}, or {{second}}?",
  clarify_again: "Which one is it: {{first}}, or {{second}}?",
  clarify_choice: "Sorry, do you mean that {{first}}, or that {{second}}?",
  clarify_choice_again: "Which one is it: {{first}}, or {{second}}?",
  which_day: "Which day {{period}}?",
  which_time: "What time {{period}}?",
  which_time_between: "What time between {{first}} and {{second}}?",
  press_choice: "Press {{key}} for: {{choice}}.",
  press_digits: "You can also enter it with the keys of your phone.",
  press_yes_no: "You can also press one for yes, or two for no.",
  no_human: "I'm sorry, there is no one I can connect you with right now.",
  machine: "Yes, I'm an automated assistant, not a person.",
  scam: "I understand, it's good to be careful. I won't ask you for passwords, bank details or payments, and you can always call us back on our official number.",
  number_source: "Your number is in the records of the company I'm calling for.",
  how_long: "It only takes a minute.",
  how_much: "I'm sorry, I don't have that information.",
  how_much_known: "It's {{amount}}.",
  insult: "I understand that this is annoying, and I'll keep it short.",
  other_language: "I'm sorry, I only speak English.",
  wrong_number: "I'm sorry, I must have the wrong number. Goodbye.",
  not_person: "Then I'm sorry to have disturbed you. Goodbye.",
  deceased: "I'm so sorry for your loss. We won't call about this again. Goodbye.",
  child: "Thank you. I'll call again when a grown-up can come to the phone. Goodbye.",
  driving: "Please keep your eyes on the road. I'll let them know that now is not a good time. Goodbye.",
  call_later: "No problem. I've noted that you would like to be called later. Goodbye.",
  do_not_call: "I understand, and I'm sorry for the trouble. We won't call you again. Goodbye.",
  farewell: "All right. Thank you, and goodbye.",
  trouble: "I'm sorry, something went wrong on my side. Could you say that again?",
  moment: "One moment, please.",
};

/** Said when the callee is silent, in order. */
export const SILENCE_PROMPTS: readonly string[] = ["Are you still there?"];

/** Said once in every call, unless the agent words it otherwise or leaves it out. */
export const DISCLOSURE = {
  recorded: "I am an automated assistant, and this call is recorded.",
  plain: "I am an automated assistant.",
};
