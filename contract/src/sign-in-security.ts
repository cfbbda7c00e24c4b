import { z } from "zod";
import { Password, SecondFactorState } from "./accounts.ts";
import { idSchema } from "./ids.ts";
import { Timestamp } from "./shared-fields.ts";

/** Six digits of an authenticator app, or a recovery code; spaces and dashes are ignored. */
const SecondFactorCode = z.string().min(1).max(64).meta({ example: "492039" });

export const SignInCode = z
  .strictObject({ challenge: z.string().min(1).max(200), code: SecondFactorCode })
  .meta({ id: "SignInCode" });

export const SecondFactor = z
  .strictObject({
    state: SecondFactorState,
    enabledAt: Timestamp.nullable(),
    recoveryCodesLeft: z.int().meta({ description: "The number of unused recovery codes." }),
  })
  .meta({ id: "SecondFactor" });
export type SecondFactor = z.infer<typeof SecondFactor>;

export const SecondFactorStart = z.strictObject({ password: Password }).meta({ id: "SecondFactorStart" });
export const SecondFactorSecret = z
  .strictObject({
    secret: z.string().meta({ description: "For the authenticator app, in base 32. It is shown only once." }),
    uri: z.string().meta({ description: "The same as an `otpauth://` URI, for a QR code." }),
  })
  .meta({ id: "SecondFactorSecret" });
export type SecondFactorSecret = z.infer<typeof SecondFactorSecret>;

export const SecondFactorConfirmation = z
  .strictObject({ code: SecondFactorCode })
  .meta({ id: "SecondFactorConfirmation" });
export const SecondFactorProof = z
  .strictObject({ password: Password, code: SecondFactorCode })
  .meta({ id: "SecondFactorProof" });
export const RecoveryCodes = z
  .strictObject({
    recoveryCodes: z.array(z.string()).meta({ description: "Each replaces a code once. They are shown only once." }),
  })
  .meta({ id: "RecoveryCodes" });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

export const SignInSession = z
  .strictObject({
    id: idSchema("signIn"),
    createdAt: Timestamp.meta({ description: "When the member signed in." }),
    lastSeenAt: Timestamp.meta({ description: "When it was last used, to the minute." }),
    expiresAt: Timestamp.meta({
      description: "When it expires at the latest; it also expires after 12 hours without use.",
    }),
    ip: z.string().nullable(),
    device: z.string().meta({ description: "Browser and operating system.", example: "Firefox on Linux" }),
    userAgent: z.string().nullable(),
    isCurrent: z.boolean().meta({ description: "Whether this is the session of the request." }),
  })
  .meta({ id: "SignInSession", description: "A browser in which the member is signed in." });
export type SignInSession = z.infer<typeof SignInSession>;

export const EndedSessions = z.strictObject({ endedCount: z.int() }).meta({ id: "EndedSessions" });
