import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Usd, UsdInput } from "./money.ts";
import { PageQuery, PhoneNumber, Timestamp } from "./shared-fields.ts";

/** What a new account is given. */
export const SIGN_UP_CREDIT_MICROS = 10_000_000n;

export const Account = z
  .strictObject({
    id: idSchema("account"),
    name: z.string(),
    createdAt: Timestamp,
    balance: Usd.meta({ description: "What is left to spend." }),
    held: Usd.meta({ description: "Set aside for calls that are queued or live." }),
    currency: z.literal("USD"),
    limits: z.strictObject({
      requestsPerSecond: z.int(),
      concurrentCalls: z.int(),
      callsPerSecond: z.number(),
      queuedCalls: z.int(),
      dailySpendCap: Usd.nullable(),
    }),
    liveNetwork: z
      .enum(["simulated", "trunks"])
      .meta({ description: "Where live calls go; to the simulated network until an operator has connected a trunk." }),
    liveCallsCharged: z.boolean().meta({
      description:
        "Whether live calls are charged: always on trunks, on the simulated network where the operator says so.",
    }),
    usage: z.strictObject({ activeCalls: z.int(), queuedCalls: z.int(), spentToday: Usd }),
  })
  .meta({ id: "Account" });
export type Account = z.infer<typeof Account>;

const LEDGER_KINDS = ["sign_up_credit", "credit_added", "credit_removed", "call", "call_not_charged"] as const;
export const LedgerEntry = z
  .strictObject({
    id: idSchema("transfer"),
    kind: z.enum(LEDGER_KINDS).meta({
      description:
        "`call`: what a call cost. `call_not_charged`: a call that would have cost something and was not charged; `note` says why.",
    }),
    createdAt: Timestamp,
    callId: z.string().nullable(),
    phoneNumber: z.string().nullable().meta({ description: "The number that was called." }),
    note: z.string(),
    amount: Usd.meta({ description: "What was added to the credit, or with a minus sign taken from it." }),
  })
  .meta({
    id: "LedgerEntry",
    description:
      "What came into the account or left it for good. What is reserved for calls that have not ended is no entry; it is `held` of the account. All amounts add up to `balance` and `held`.",
  });
export type LedgerEntry = z.infer<typeof LedgerEntry>;
export type LedgerKind = (typeof LEDGER_KINDS)[number];
export const LedgerQuery = z.strictObject(PageQuery);

export const Rate = z
  .strictObject({
    phoneNumber: PhoneNumber,
    prefix: z.string(),
    country: z.string().nullable().meta({ description: "ISO 3166 code, when the number tells it." }),
    routePerMinute: Usd,
    engines: z.array(z.strictObject({ engine: z.string(), perMinute: Usd, totalPerMinute: Usd })),
    currency: z.literal("USD"),
  })
  .meta({ id: "Rate" });
export type Rate = z.infer<typeof Rate>;
export const RateQuery = z.strictObject({ phoneNumber: PhoneNumber });

const RatePrefix = z
  .string()
  .regex(/^\+[0-9]{0,15}$/, "must be a plus sign followed by up to 15 digits")
  .meta({ description: "What numbers begin with. `+` alone is for simulated calls to numbers without a rate." });

export const RouteRate = z.strictObject({ prefix: RatePrefix, perMinute: Usd, description: z.string() }).meta({
  id: "RouteRate",
  description: "What a minute to numbers with this prefix costs. The longest prefix counts.",
});
export type RouteRate = z.infer<typeof RouteRate>;
export const RouteRateQuery = z.strictObject({
  ...PageQuery,
  prefix: RatePrefix.optional().meta({ description: "Only rates whose prefix begins so." }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be an ISO 3166 code such as DE")
    .optional()
    .meta({ description: "Only rates whose description begins with this country, as those of a new installation do." }),
  q: z.string().trim().min(1).max(100).optional().meta({ description: "Only rates with this in their description." }),
});
export const NewRouteRate = z
  .strictObject({ prefix: RatePrefix, perMinute: UsdInput, description: z.string().max(200).default("") })
  .meta({ id: "NewRouteRate" });
export type NewRouteRate = z.infer<typeof NewRouteRate>;

export const RATES_AT_ONCE_MAX = 20_000;
export const RateImport = z
  .strictObject({
    rates: z
      .array(NewRouteRate)
      .min(1)
      .max(RATES_AT_ONCE_MAX)
      .refine(
        (rates) => new Set(rates.map(({ prefix }) => prefix)).size === rates.length,
        "must not name a prefix twice",
      ),
  })
  .meta({ id: "RateImport" });
export const ImportedRates = z.strictObject({ added: z.int(), changed: z.int(), unchanged: z.int() }).meta({
  id: "ImportedRates",
  description: "What became of the rates that were given. Rates of other prefixes stay.",
});
export type ImportedRates = z.infer<typeof ImportedRates>;
export const RouteRateChoice = z.strictObject({ prefix: RatePrefix });

export const EngineRate = z
  .strictObject({ engine: z.string(), perMinute: Usd })
  .meta({ id: "EngineRate", description: "What a minute of an engine costs." });
export type EngineRate = z.infer<typeof EngineRate>;
export const NewEngineRate = z
  .strictObject({ engine: z.string().min(1).max(64), perMinute: UsdInput })
  .meta({ id: "NewEngineRate" });
