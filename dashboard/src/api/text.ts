import type { ErrorDetail } from "@parley/contract/errors";
import { locale } from "../languages/language.ts";
import { inLanguage } from "../languages/texts.ts";

/** The code is one of the API, which may be newer than this page. */
interface ErrorWords {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[] | undefined;
}

const english = {
  // api-error.ts
  unreachable: "The service could not be reached. Check your connection and try again.",
  tryAgainIn: (message: string, seconds: number): string => `${message} Try again in ${inSecondsOrMinutes(seconds)}.`,
  pageFault: "Something went wrong on this page. Reload it and try again.",
  /** The API writes its messages in English; other languages word them by their codes. */
  wordError: ({ message }: ErrorWords): string => message,
  wordFieldError: ({ param, code, message }: ErrorDetail): string => FIELD_SENTENCES[`${param} ${code}`] ?? message,
  /** A sentence of the API about something that is not an error, such as why a batch was paused. */
  wordSentence: (sentence: string): string => sentence,
  /** Why the words of a callee were understood as they were. */
  wordFinding: (says: string): string => says,
  /** A note in a transcript. */
  wordNote: (text: string): string => text,
};

/** What is written for programs, as a sentence for people, by the parameter and the code. */
const FIELD_SENTENCES: Readonly<Record<string, string>> = {
  "email taken": "There is already an account with this email. Sign in, or use another email.",
  "phoneNumber not_e164": "Enter the number with its country code, such as +1 555 010 0001.",
};

function inSecondsOrMinutes(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes.toLocaleString(locale)} minutes`;
}

export type ApiText = typeof english;

export const apiText = inLanguage("api", english);
