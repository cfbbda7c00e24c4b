import { lowerCaseWords } from "../turns/hearing/spoken-phrases.ts";
import type { ExpectedAnswerScore } from "./speech-recognizer.ts";

/**
 * The expected answer that a recognized text spells out, whatever its case and punctuation. For engines that return
 * text only and cannot say how well an answer fits the audio.
 */
export function matchExpectedAnswer(text: string, expected: readonly string[]): ExpectedAnswerScore | null {
  const said = lowerCaseWords(text).join(" ");
  const answer = expected.find((each) => lowerCaseWords(each).join(" ") === said);
  return answer === undefined || said === "" ? null : { answer, score: 1, margin: 1 };
}
