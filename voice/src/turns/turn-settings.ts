interface TurnSetting {
  readonly usual: number;
  readonly min: number;
  readonly max: number;
}

const ms = (usual: number, min = 0, max = 60_000): TurnSetting => ({ usual, min, max });
const share = (usual: number): TurnSetting => ({ usual, min: 0, max: 1 });
const db = (usual: number): TurnSetting => ({ usual, min: 0, max: 60 });

/** Every number of turn-taking, by name. An agent may set each of them, and a node of its flow again. */
export const TURN_SETTINGS = {
  // What counts as speech. Raising these tolerates noise and misses soft onsets.
  speechStartProbability: share(0.5),
  speechKeepProbability: share(0.35),
  speechStartMs: ms(64, 10, 1_000),
  /**
   * Silence after which recognition starts speculatively. Shorter hides more of its time and wastes more of its work.
   */
  guessSilenceMs: ms(96, 20, 2_000),
  /** Audio this much quieter than the voice is a pause, even if detection reports it a little late. */
  pauseBelowVoiceDb: db(36),
  /** If others talk in the room, speech this much quieter than the callee's is theirs. */
  nearVoiceDb: db(8),
  /** Audio before the detected beginning that recognition gets too, because detection is late by some of it. */
  utteranceLeadMs: ms(200, 0, 1_000),

  // How long the callee may be silent before the turn is over. Shorter answers sooner and cuts in more often.
  completeAnswerHoldMs: ms(240),
  partialAnswerHoldMs: ms(1_200),
  freeSpeechHoldMinMs: ms(500),
  freeSpeechHoldMaxMs: ms(700),
  unfinishedHoldMs: ms(1_500),
  digitsHoldMs: ms(250),
  missingDigitsHoldMs: ms(1_500),
  /** The maximum hold for free speech with a callee who pauses for long. */
  slowCalleeHoldMaxMs: ms(1_500),
  /** Added for a callee who keeps continuing after complete answers, each time, up to three times. */
  completeAnswerExtraMs: ms(100),
  answerScoreMin: share(0.5),
  answerMarginMin: share(0.1),

  // Taking a reply back when the callee continues.
  undoWithinMs: ms(400),
  undoSpeechMs: ms(128, 20, 1_000),

  // Being interrupted.
  duckSpeechMs: ms(200, 20, 5_000),
  /** How long speech has lasted when its start is detected. */
  detectionLagMs: ms(100, 0, 500),
  duckDb: db(15),
  duckRampMs: ms(40, 0, 1_000),
  /** Speech after which its words are first checked, and how much more of it before each further check. */
  probeSpeechMs: ms(360, 100, 5_000),
  probeEveryMs: ms(120, 50, 5_000),
  // The confidence that words need to interrupt. Hums are recognized as words, but rarely with confidence.
  stopWordConfidenceMin: share(0.6),
  interruptConfidenceMin: share(0.7),
  /** In the middle of speech half a word is recognized as another one: the required confidence and duration. */
  probeConfidenceMin: share(0.8),
  probeInterruptMs: ms(400, 100, 5_000),
  /** Short words are compared with what people say over others: how well one must fit, and how much better than the next. */
  phraseScoreMin: share(0.4),
  phraseMarginMin: share(0.3),
  /**
   * Listeners hum shorter than this. A callee who speaks over us for longer interrupts, even if the words are unknown.
   */
  talkOverMs: ms(530, 200, 20_000),
  /** Closures between two words are shorter than this, and what is said over us continues. */
  breathMs: ms(180, 0, 1_000),
  /** A voice that has dropped by this much has ended, even if detection reports it a little late. */
  fadedVoiceDb: db(18),
  /** Words of lower confidence may still be a hum; then only a callee who speaks for this long interrupts. */
  doubtfulConfidenceMax: share(0.5),
  doubtfulTalkOverMs: ms(750, 200, 20_000),
  /** An answer given this shortly before the end of the question is accepted when it has ended. */
  earlyAnswerMs: ms(1_500),

  // Our own voice coming back.
  echoLikenessMin: share(0.55),
  echoLevelMarginDb: db(3),
  echoLouderMaxDb: db(9),

  /** Audio in buffers between us and the callee when we stop, which the callee has not heard yet. */
  heardDelayMs: ms(80, 0, 2_000),

  // The beginning.
  helloWaitMs: ms(1_200),
  /** A callee who speaks for longer on picking up is a machine reading its greeting: it is heard to its end. */
  helloMaxMs: ms(12_000),
  firstWordsWithinMs: ms(3_000),
  identifyAfterMs: ms(2_000),
  greetingMaxMs: ms(10_000, 1_000),
  /** If it is unknown who answered, requests, keys and transfers wait for silence of this length. A shorter one acts on
   * voicemails that are slow to begin; a longer one keeps people waiting who say nothing on picking up. */
  permitSilenceMs: ms(2_000),

  // Silence, music and waiting.
  silencePromptMs: ms(10_000, 500, 600_000),
  silenceLimitMs: ms(30_000, 1_000, 600_000),
  silencePromptsCount: { usual: 1, min: 0, max: 10 },
  musicMs: ms(5_000, 1_000),
  /** On hold, the agent asks after some time whether someone is there, and does not wait forever. */
  musicPromptMs: ms(20_000, 1_000, 3_600_000),
  musicMaxMs: ms(60_000, 1_000, 3_600_000),
  /** Speech whose peak is this much louder than the music is meant for us. */
  overMusicDb: db(9),
  holdRequestMs: ms(60_000, 0, 600_000),
  keysPauseMs: ms(1_500, 100),

  // Limits on waiting for others.
  recognitionUrgentMs: ms(1_000, 100),
  recognitionMaxMs: ms(3_000, 200),
  replyWatchdogMs: ms(12_000, 500, 120_000),
  /** No piece of audio is longer than its store. */
  playoutWatchdogMs: ms(35_000, 500, 120_000),
  farewellMaxMs: ms(8_000, 500),
  hangupTailMs: ms(300, 0, 5_000),
  transferMaxMs: ms(90_000, 1_000, 600_000),
  beepMaxMs: ms(30_000, 500, 120_000),
  beepSilenceMs: ms(2_500, 300),

  // Long speech is recognized in pieces: at a pause after the first length, anywhere after the second.
  segmentMs: ms(12_000, 1_000, 14_000),
  segmentMaxMs: ms(14_500, 1_500, 15_000),
  turnMaxMs: ms(60_000, 1_000, 600_000),
  /** No one speaks for this long without the shortest pause: others are talking too, and the callee is answered. */
  unbrokenSpeechMs: ms(10_000, 1_000, 600_000),
  /** Audio without words is a turn that was not understood if it was this long; otherwise it was not speech. */
  unclearSpeechMs: ms(400),
} as const satisfies Readonly<Record<string, TurnSetting>>;

type TurnSettingName = keyof typeof TURN_SETTINGS;
export type TurnSettings = Readonly<Record<TurnSettingName, number>>;

export function isTurnSettingName(name: string): name is TurnSettingName {
  return Object.hasOwn(TURN_SETTINGS, name);
}

export const USUAL_TURN_SETTINGS: TurnSettings = Object.freeze(
  Object.fromEntries(Object.entries(TURN_SETTINGS).map(([name, { usual }]) => [name, usual])),
) as TurnSettings;

/**
 * Merges settings with those of an agent or a node. Unknown names are ignored and a value that
 * is out of range is clamped: a running call cannot reject its own settings.
 */
export function overrideTurnSettings(base: TurnSettings, changes: Readonly<Record<string, number>>): TurnSettings {
  const known = Object.entries(changes).flatMap(([name, value]) =>
    isTurnSettingName(name) && Number.isFinite(value) ? [[name, withinRange(name, value)] as const] : [],
  );
  return known.length === 0 ? base : { ...base, ...Object.fromEntries(known) };
}

function withinRange(name: TurnSettingName, value: number): number {
  const { min, max } = TURN_SETTINGS[name];
  return Math.min(max, Math.max(min, value));
}
