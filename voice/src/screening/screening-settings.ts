interface ScreeningSetting {
  readonly usual: number;
  readonly min: number;
  readonly max: number;
}

const ms = (usual: number, min = 0, max = 60_000): ScreeningSetting => ({ usual, min, max });
const weight = (usual: number): ScreeningSetting => ({ usual, min: 0, max: 10 });
const count = (usual: number): ScreeningSetting => ({ usual, min: 0, max: 20 });

/** Every number of screening, by name. Weights are compared with each other and with the decision thresholds. */
export const SCREENING_SETTINGS = {
  /** From the answer on. A longer window finds more machines and revises decisions in the middle of conversations. */
  windowMs: ms(30_000, 1_000, 120_000),

  // Where speech begins and ends. A click does not begin it, a soft syllable does not end it.
  speechStartMs: ms(60, 10, 1_000),
  speechEndMs: ms(100, 20, 1_000),
  /** Speech with shorter pauses than this is one run. */
  runPauseMs: ms(600, 100, 5_000),
  runMinMs: ms(120, 20, 1_000),

  // What the length of speech indicates. People who pick up say little and wait. Yet a television may talk without end
  // behind some of them: the length and one fair phrase together must stay below the decision threshold.
  helloMaxMs: ms(1_200, 200),
  helloWeight: weight(1),
  suspectMs: ms(2_500, 500),
  suspectWeight: weight(0.5),
  monologueMs: ms(6_000, 1_000),
  monologueWeight: weight(0.25),
  /** Only speech that begins this soon is a greeting; later, people may speak for as long as they like. */
  greetingWithinMs: ms(6_000, 500),
  /** Silent for this long after a greeting of at most that length: an answer is expected. */
  waitMs: ms(2_000, 500),
  waitSpeechMaxMs: ms(6_000, 500),
  waitWeight: weight(0.5),
  /** Short speech after a pause like this is one turn of a conversation. This many of them are counted. */
  turnPauseMs: ms(1_000, 200),
  turnWeight: weight(0.5),
  turnsMax: count(3),

  // What words indicate. A strong phrase is enough alone if nothing indicates a human.
  strongWeight: weight(3),
  fairWeight: weight(2),
  weakWeight: weight(1),
  /** Words that no machine says. */
  plainWeight: weight(0.5),
  /** Utterances with a shorter pause between them are read as one text. */
  joinWordsMs: ms(1_500),

  // What tones and keys indicate.
  beepAfterMonologueWeight: weight(4),
  beepAfterSpeechWeight: weight(3),
  loneBeepWeight: weight(1),
  /** A tone this long after speech is still the tone that the speech announced. */
  beepAfterSpeechMs: ms(4_000, 200),
  /** How long a tone at the pitch of a busy line is held back: the next burst would show that it is not a beep. */
  busyPauseMs: ms(700, 100, 5_000),
  /** From the answer on; a voicemail whose greeting is longer than the window still gets its message. */
  beepListenMs: ms(90_000, 1_000, 600_000),
  faxAnswerWeight: weight(10),
  faxCallWeight: weight(2),
  announcementToneWeight: weight(6),
  busyWeight: weight(3),
  keyWeight: weight(1),

  // The decision thresholds. Mistaking a human for a machine costs more than the reverse, so machines need more.
  machineWeightMin: weight(3),
  machineLead: weight(1.5),
  otherMachineLead: weight(1),
  humanWeightMin: weight(1),
  humanLead: weight(0.5),
} as const satisfies Readonly<Record<string, ScreeningSetting>>;

type ScreeningSettingName = keyof typeof SCREENING_SETTINGS;
export type ScreeningSettings = Readonly<Record<ScreeningSettingName, number>>;

export const USUAL_SCREENING_SETTINGS: ScreeningSettings = Object.freeze(
  Object.fromEntries(Object.entries(SCREENING_SETTINGS).map(([name, { usual }]) => [name, usual])),
) as ScreeningSettings;

/** Merges overrides with the defaults. Unknown names are ignored, and values are clamped to their range. */
export function overrideScreeningSettings(changes: Readonly<Record<string, number>>): ScreeningSettings {
  const known = Object.entries(changes).flatMap(([name, value]) =>
    isScreeningSettingName(name) && Number.isFinite(value) ? [[name, withinRange(name, value)] as const] : [],
  );
  return { ...USUAL_SCREENING_SETTINGS, ...Object.fromEntries(known) };
}

function isScreeningSettingName(name: string): name is ScreeningSettingName {
  return Object.hasOwn(SCREENING_SETTINGS, name);
}

function withinRange(name: ScreeningSettingName, value: number): number {
  const { min, max } = SCREENING_SETTINGS[name];
  return Math.min(max, Math.max(min, value));
}
