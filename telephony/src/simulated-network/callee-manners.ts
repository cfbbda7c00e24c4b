import type { CalleeManner } from "./callee-manner.ts";
import { type CalleeMachine, runCallee } from "./callees/callee-machine.ts";
import { fax } from "./callees/fax.ts";
import { human } from "./callees/human.ts";
import type { HumanTraits } from "./callees/human-traits.ts";
import { menu } from "./callees/menu.ts";
import { screening } from "./callees/screening.ts";
import { silent } from "./callees/silent.ts";
import { voicemail } from "./callees/voicemail.ts";
import {
  CORRECTS_ITSELF,
  DICTATES,
  PRESSES_KEYS,
  STOP_CALLING,
  WANTS_A_PERSON,
  WANTS_CHANGES,
  WANTS_OUT,
  WRONG_PERSON,
} from "./callees/wishes.ts";

/** What is behind a person in a quiet room. */
const ROOM_DBFS = -62;
/** A street, or a car. */
const NOISY_DBFS = -38;

const FRIENDLY: HumanTraits = { greeting: "Hello?" };

/** How the numbers of the table behave and sound once they have answered. */
export const MANNERS = {
  friendly: person({}),
  voicemail: machine(voicemail()),
  menu: machine(menu(human(FRIENDLY))),
  silent: { callee: () => runCallee(silent()), noiseDbfs: ROOM_DBFS, acceptsRefer: true },
  interrupting: person({
    interrupts: {
      afterMs: 1_500,
      lines: ["Sorry, who is this?", "Wait a moment, what is this about?", "Hold on, please say that again."],
    },
  }),
  hangsUpMidSentence: person({ hangsUpAfterMs: 1_500 }),
  noisyLine: { ...person({}), line: "lossy", noiseDbfs: NOISY_DBFS },
  noAudio: { callee: () => runCallee(silent()), line: "dead", noiseDbfs: null, acceptsRefer: true },
  slow: person({ isSlow: true }),
  // No noise, so that what comes back is exactly what went out.
  echo: { ...person({}), echo: { lagMs: 180, changeDb: -18 }, noiseDbfs: null },
  murmuring: person({ murmurs: { everyMs: 1_400, line: "Mhm." } }),
  holding: person({
    holds: { line: "One moment, please.", forMs: 20_000, backLine: "Hello, I am back. What was it about?" },
  }),
  screening: { ...machine(screening(human(FRIENDLY))), acceptsRefer: true },
  wantsChanges: person({ wishes: WANTS_CHANGES }),
  wantsOut: person({ wishes: WANTS_OUT }),
  hardOfHearing: person({ asksBack: ["What?", "Could you say that again, please?"] }),
  correctsItself: person({ wishes: CORRECTS_ITSELF }),
  pressesKeys: person({ wishes: PRESSES_KEYS }),
  dictates: person({ wishes: DICTATES }),
  stopCalling: person({ wishes: STOP_CALLING }),
  wrongPerson: person({ wishes: WRONG_PERSON }),
  wantsAPerson: person({ wishes: WANTS_A_PERSON }),
  fax: { ...machine(fax()), noiseDbfs: null },
} as const satisfies Record<string, CalleeManner>;

function person(traits: Partial<HumanTraits>): CalleeManner {
  return { callee: () => runCallee(human({ ...FRIENDLY, ...traits })), noiseDbfs: ROOM_DBFS, acceptsRefer: true };
}

function machine<State>(behaviour: CalleeMachine<State>): CalleeManner {
  return { callee: () => runCallee(behaviour), noiseDbfs: ROOM_DBFS, acceptsRefer: false };
}
