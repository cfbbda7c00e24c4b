import type { ErrorCode } from "@parley/contract/errors";

/** The refusals that people meet, and one for all others. */
type Refusals = Partial<Record<ErrorCode, string>> & { readonly other: string };

export const english = {
  claim: {
    title: "Claim your account",
    lead: "Choose the email and password you will sign in with. If you were invited, leave the email empty.",
    done: "The account is yours, and you are signed in.",
  },
  reset: {
    title: "Choose a new password",
    lead: "This signs you out everywhere else.",
    done: "Your password was changed. Sign in with it.",
  },
  email: "Email",
  password: (charsMin: number) => `Password, at least ${charsMin} characters`,
  oneMoment: "One moment.",
  unreachable: "The service could not be reached. Try again.",
  documentation: "Read the documentation",
  /** Why the service refused, by the code of its error. Null shows its own sentence, which is English. */
  refusals: null as Refusals | null,
};

export type LinkPageText = typeof english;
