/** Notes, copyright signs and letters of other scripts: the network knows them from subtitles and writes them for music. */
const NOT_SPEECH = /[♪♫©]|(?!\p{Script=Latin})\p{Letter}/u;

/** What it writes for any short sound that says nothing to it. Said by a person it is written with more confidence. */
const FILLER = /^\W*you\W*$/i;
const FILLER_CONFIDENCE_MAX = 0.5;

/** Whether the network wrote what nobody said, as it does for music, tones and knocks. */
export function isMadeUp(text: string, confidence: number): boolean {
  return NOT_SPEECH.test(text) || (FILLER.test(text) && confidence < FILLER_CONFIDENCE_MAX);
}
