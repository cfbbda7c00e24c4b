import { ANNOUNCEMENTS } from "./greetings/announcements.ts";
import type { Greeting } from "./greetings/greeting.ts";
import { HUMAN_ANSWERS } from "./greetings/human-answers.ts";
import { MENU_GREETINGS } from "./greetings/menu-greetings.ts";
import { SCREENER_GREETINGS } from "./greetings/screener-greetings.ts";
import { VOICEMAIL_GREETINGS } from "./greetings/voicemail-greetings.ts";

/** What is heard when somebody or something answers, as texts that any synthesizer can speak. */
export const GREETINGS: readonly Greeting[] = [
  ...HUMAN_ANSWERS,
  ...VOICEMAIL_GREETINGS,
  ...MENU_GREETINGS,
  ...SCREENER_GREETINGS,
  ...ANNOUNCEMENTS,
];
