import { z } from "zod";

/** ISO 8601 UTC with milliseconds and a trailing `Z`. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ id: "Timestamp", description: "ISO 8601 UTC with milliseconds.", example: "2026-01-31T09:30:00.000Z" });

/** A time in a request: any ISO 8601 with an offset, in a range that the database can store. */
export const TimestampInput = z.iso
  .datetime({ offset: true, message: "must be an ISO 8601 time with an offset, such as 2026-01-31T09:30:00Z" })
  .refine((text) => {
    const ms = Date.parse(text);
    return ms >= Date.UTC(2000, 0) && ms < Date.UTC(2200, 0);
  }, "must be between the years 2000 and 2200")
  .meta({ example: "2026-01-31T09:30:00Z" });

export const MODES = ["test", "live"] as const;
export const Mode = z
  .enum(MODES)
  .meta({ id: "Mode", description: "`test` calls stay on the simulated network and are free." });
export type Mode = z.infer<typeof Mode>;

// The rule is about ASCII: the pattern has no \d under a unicode flag, so full-width or Arabic digits never pass.
const E164_PATTERN = /^\+[1-9][0-9]{6,14}$/;

export const PhoneNumber = z
  .string()
  .regex(E164_PATTERN, { error: "must be a plus sign followed by 7 to 15 digits", abort: true })
  .meta({ description: "A plus sign followed by 7 to 15 digits.", example: "+15550100001" });

/** Fewer digits would match nearly every number. */
const PART_DIGITS_MIN = 3;

export const PhoneNumberFilter = z
  .string()
  .max(40)
  .refine(
    (text) => {
      const digits = text.replaceAll(/\D/g, "").length;
      return /^\s*\+?[\d\s()./-]*$/.test(text) && digits >= PART_DIGITS_MIN && digits <= 15;
    },
    { error: `must be a phone number or part of one, with at least ${PART_DIGITS_MIN} digits` },
  )
  .meta({
    description:
      "A phone number, or part of one. A plus sign followed by 7 to 15 digits matches exactly that number; with fewer digits, numbers with that prefix. Without a plus sign, it matches numbers that contain the digits. Spaces, brackets, dots, slashes and hyphens are ignored.",
    example: "+15550100001",
  });

// Invisible characters can make two names look alike or reverse the text around them: control characters, line separators, zero
// width spaces, the byte order mark and bidirectional overrides. Joiners stay, because scripts and emoji need them.
const INVISIBLE = /[\p{Cc}\u00ad\u180e\u200b\u2028-\u202e\u2060-\u2069\ufeff]/u;

/** A display name. Surrounding spaces are removed. */
export const Name = z
  .string()
  .refine((text) => !INVISIBLE.test(text), "must not contain control or other invisible characters")
  .trim()
  .min(1)
  .max(120)
  .meta({ description: "Surrounding spaces are removed; control and other invisible characters are rejected." });

// A plain offset is not accepted on purpose: the meaning of its sign is ambiguous.
const ZONE_PATTERN = /^[A-Za-z][A-Za-z0-9_]*(?:\/[A-Za-z0-9_+-]+)*$/;

function isTimeZone(name: string): boolean {
  if (!ZONE_PATTERN.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const TimeZone = z.string().max(64).refine(isTimeZone, "must be a time zone such as Europe/Berlin");

/** An integer in a path or a query: plain digits only, no other JavaScript notation. */
export function wholeNumberText(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, message)
    .meta({
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, { type: "integer", minimum, maximum });
      },
    });
}

/** The query parameters of every list. */
export const PageQuery = {
  limit: wholeNumberText(1, 100).default(20).meta({ description: "How many, 1 to 100." }),
  cursor: z.string().min(1).max(512).optional().meta({ description: "`nextCursor` of the previous page." }),
};
