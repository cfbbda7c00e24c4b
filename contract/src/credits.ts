import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Usd, UsdInput } from "./money.ts";
import { PageQuery, PhoneNumber, Timestamp } from "./shared-fields.ts";

/** The free credit of a new account. */
export const SIGN_UP_CREDIT_MICROS = 10_000_000n;

export const Account = z
  .strictObject({
    id: idSchema("account"),
    name: z.string(),
    createdAt: Timestamp,
    balance: Usd.meta({ description: "The available credit." }),
    held: Usd.meta({ description: "Held for queued and live calls." }),
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
      .meta({ description: "The network of live calls: simulated until an operator connects a trunk." }),
    liveCallsCharged: z.boolean().meta({
      description:
        "Whether live calls are charged: always on trunks; on the simulated network only if the operator enables it.",
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
        "`call`: the cost of a call. `call_not_charged`: a call that was not charged although it had a cost; `note` gives the reason.",
    }),
    createdAt: Timestamp,
    callId: z.string().nullable(),
    phoneNumber: z.string().nullable().meta({ description: "The number that was called." }),
    note: z.string(),
    amount: Usd.meta({ description: "The change of the credit, negative for charges." }),
  })
  .meta({
    id: "LedgerEntry",
    description:
      "A credit or charge of the account. Amounts held for running calls are not entries; they are `held` of the account. All amounts add up to `balance` and `held`.",
  });
export type LedgerEntry = z.infer<typeof LedgerEntry>;
export type LedgerKind = (typeof LEDGER_KINDS)[number];
export const LedgerQuery = z.strictObject(PageQuery);

export const Rate = z
  .strictObject({
    phoneNumber: PhoneNumber,
    prefix: z.string(),
    country: z.string().nullable().meta({ description: "ISO 3166 code, if known." }),
    routePerMinute: Usd,
    engines: z.array(
      z.strictObject({
        engine: z.string(),
        perMinute: Usd,
        totalPerMinute: Usd,
        available: z.boolean().meta({ description: "Whether calls can use it now." }),
        missing: z.array(z.string()).meta({ description: "Settings that are required before they can." }),
      }),
    ),
    currency: z.literal("USD"),
  })
  .meta({ id: "Rate" });
export type Rate = z.infer<typeof Rate>;
export const RateQuery = z.strictObject({ phoneNumber: PhoneNumber });

const RatePrefix = z
  .string()
  .regex(/^\+[0-9]{0,15}$/, "must be a plus sign followed by up to 15 digits")
  .meta({ description: "The prefix of numbers. `+` alone is for simulated calls to numbers without a rate." });

export const RouteRate = z.strictObject({ prefix: RatePrefix, perMinute: Usd, description: z.string() }).meta({
  id: "RouteRate",
  description: "The price per minute of numbers with this prefix. The longest prefix applies.",
});
export type RouteRate = z.infer<typeof RouteRate>;
export const RouteRateQuery = z.strictObject({
  ...PageQuery,
  prefix: RatePrefix.optional().meta({ description: "Only rates whose prefix begins with this." }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be an ISO 3166 code such as DE")
    .optional()
    .meta({ description: "Only rates whose description begins with this country, as in a new installation." }),
  q: z.string().trim().min(1).max(100).optional().meta({ description: "Only rates whose description contains this." }),
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
        "must not contain a prefix twice",
      ),
  })
  .meta({ id: "RateImport" });
export const ImportedRates = z.strictObject({ added: z.int(), changed: z.int(), unchanged: z.int() }).meta({
  id: "ImportedRates",
  description: "The result of the import. Rates of other prefixes are unchanged.",
});
export type ImportedRates = z.infer<typeof ImportedRates>;
export const RouteRateChoice = z.strictObject({ prefix: RatePrefix });

export const EngineRate = z
  .strictObject({ engine: z.string(), perMinute: Usd })
  .meta({ id: "EngineRate", description: "The price per minute of an engine." });
export type EngineRate = z.infer<typeof EngineRate>;
export const NewEngineRate = z
  .strictObject({ engine: z.string().min(1).max(64), perMinute: UsdInput })
  .meta({ id: "NewEngineRate" });
