/** What a person wants from the agent, other than to please it. */
export interface CalleeGoal {
  /** What the agent is heard to ask for. */
  readonly when: RegExp;
  readonly does: { readonly text: string } | { readonly keys: string };
}

const ABOUT_APPOINTMENT = /\b(another day|(or|want to|do) cancel|cancel\b|you come|will come|appointment)/;
const SOMEBODY_HOME =
  /\b(someone|somebody|anyone|anybody|some one) (will )?be\b|\bto take it\b|\bat home\b|\bdriver rings\b/;
const WHERE_TO_LEAVE = /\bleave it\b|\bneighbou?r\b.*\bdoor\b/;
const RATING = /\b(one|1) (to|and|through) (five|5)\b|\b(rate|rating|how satisfied)\b|\bgive us a number\b/;
const RECOMMEND = /\brecommend\b/;
const HOW_TO_PAY = /\b(paid|pay soon|more time)\b/;
const WHICH_DAY = /\b(which|what) (day|date|they)\b/;
const ANYTHING = /./;

const says = (when: RegExp, text: string): CalleeGoal => ({ when, does: { text } });
const presses = (when: RegExp, keys: string): CalleeGoal => ({ when, does: { keys } });

/** For whom nothing is right: another day, a bad mark, more time. */
export const WANTS_CHANGES: readonly CalleeGoal[] = [
  says(WHERE_TO_LEAVE, "Please bring it another day."),
  says(SOMEBODY_HOME, "No, nobody will be home."),
  says(/\b(someone|somebody|some one) to call\b|\bcall you about\b/, "No, thank you."),
  says(RATING, "Two."),
  says(RECOMMEND, "No, I would not."),
  says(HOW_TO_PAY, "I need more time."),
  says(ABOUT_APPOINTMENT, "I would like to come another day."),
];

/** A person who wants to end the call quickly. */
export const WANTS_OUT: readonly CalleeGoal[] = [
  says(/\breally\b|\bwant to cancel the\b/, "Yes, please cancel it."),
  says(WHERE_TO_LEAVE, "With a neighbor, please."),
  says(SOMEBODY_HOME, "No, nobody will be home."),
  says(/\b(may i|ask you|questions)\b/, "No, thank you."),
  says(HOW_TO_PAY, "I have already paid."),
  says(ABOUT_APPOINTMENT, "I would like to cancel."),
];

/** A person who says one thing and then another. */
export const CORRECTS_ITSELF: readonly CalleeGoal[] = [says(WHICH_DAY, "On Tuesday. No, Thursday."), ...WANTS_CHANGES];

/** A person who prefers keys to speech. */
export const PRESSES_KEYS: readonly CalleeGoal[] = [presses(RATING, "4"), presses(ABOUT_APPOINTMENT, "2")];

/** A person who says a number in groups, without hurry. */
export const DICTATES: readonly CalleeGoal[] = [
  says(/\bnumber\b/, "My number is five five five, ... zero one zero, ... zero one two three."),
];

export const STOP_CALLING: readonly CalleeGoal[] = [says(ANYTHING, "Stop calling me.")];
export const WRONG_PERSON: readonly CalleeGoal[] = [says(ANYTHING, "Sorry, you have the wrong number.")];
export const WANTS_A_PERSON: readonly CalleeGoal[] = [says(ANYTHING, "Can I talk to a human, please?")];
