/**
 * Lines that scripts often need. Like the lines of the network's own people they can be made ready once and for all in
 * the best voice there is, and not only while the phone rings.
 */
export const PHRASE_BOOK: readonly string[] = [
  // On picking up.
  "Hello, Alex Miller speaking.",
  "Hello, this is Sam.",
  // Yes, no, and neither.
  "No.",
  "No, thank you.",
  "Sure, no problem.",
  "That is not right.",
  "I do not know.",
  // Another day, another time.
  "I would like to come another day.",
  "I would like to cancel.",
  "Yes, please cancel it.",
  "I can not make it.",
  "On Friday, please.",
  "On Tuesday. No, Thursday.",
  "No, Thursday.",
  "On Monday.",
  "Tomorrow.",
  "At three in the afternoon.",
  "At half past two.",
  // Not understood, or wanting something else.
  "What?",
  "Could you say that again, please?",
  "Who is this?",
  "Am I talking to a robot?",
  "Can I talk to a human, please?",
  "Stop calling me.",
  "Sorry, you have the wrong number.",
  "I have no time now. Please call me later.",
  // A parcel.
  "No, nobody will be home.",
  "With a neighbor, please.",
  "Please bring it another day.",
  // Money.
  "I have already paid.",
  "I need more time.",
  "Next week.",
  // A survey.
  "One.",
  "Two.",
  "Three.",
  "Five.",
  "The food was cold and nobody came when we called.",
  "No, I would not.",
];
