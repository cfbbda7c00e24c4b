import { z } from "zod";
import { Call, NewCall } from "./calls.ts";
import { idSchema } from "./ids.ts";
import { Usd } from "./money.ts";
import { Mode, Name, PageQuery, PhoneNumber, Timestamp } from "./shared-fields.ts";

export const BATCH_ROWS_MAX = 1000;
/** Each row asks the gate, so that a request checks part of a long list. */
export const CHECKED_ROWS_MAX = 200;

const perRow = NewCall.pick({ variables: true, metadata: true, scheduledAt: true });

const NewBatchRow = perRow.extend({ phoneNumber: PhoneNumber }).strict().meta({ id: "NewBatchRow" });

const common = NewCall.omit({ phoneNumber: true, variables: true, metadata: true, simulation: true, consent: true });

export const NewBatch = common
  .extend({
    name: Name,
    rows: z.array(NewBatchRow).min(1).max(BATCH_ROWS_MAX).meta({ description: "One call each, in this order." }),
  })
  .strict()
  .meta({ id: "NewBatch", description: "Calls to a list of numbers. Fields of a row take precedence." });
export type NewBatch = z.infer<typeof NewBatch>;

const BATCH_STATUSES = ["running", "paused", "done", "canceled"] as const;

export const Batch = z
  .strictObject({
    id: idSchema("batch"),
    name: z.string(),
    mode: Mode,
    agentId: idSchema("agent"),
    status: z.enum(BATCH_STATUSES).meta({ description: "`done`: every row is placed or refused." }),
    pausedBecause: z.string().nullable().meta({ description: "Why the service paused it; `null` if a person did." }),
    createdAt: Timestamp,
    counts: z.strictObject({
      rows: z.int(),
      waiting: z.int().meta({ description: "Rows that have not been placed yet." }),
      inProgress: z.int().meta({ description: "Calls that have not ended." }),
      completed: z.int(),
      failed: z.int(),
      refused: z.int().meta({ description: "Rows that were not called." }),
      canceled: z.int(),
    }),
  })
  .meta({ id: "Batch" });
export type Batch = z.infer<typeof Batch>;

const ROW_STATUSES = ["waiting", "placed", "refused", "canceled"] as const;

export const BatchRow = z
  .strictObject({
    number: z.int().meta({ description: "The position in the list, from 1." }),
    phoneNumber: PhoneNumber,
    status: z.enum(ROW_STATUSES),
    refusal: z
      .strictObject({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: "Why the row was not called." }),
    call: Call.pick({ id: true, status: true, phase: true, endReason: true, durationSeconds: true }).nullable(),
  })
  .meta({ id: "BatchRow" });
export type BatchRow = z.infer<typeof BatchRow>;

export const BatchQuery = z.strictObject(PageQuery);
export const BatchRowQuery = z.strictObject({ ...PageQuery, status: z.enum(ROW_STATUSES).optional() });

export const BatchCheckRequest = common
  .pick({ agentId: true, engine: true, agentVersion: true, from: true, callingHours: true })
  .extend({
    rows: z
      .array(z.strictObject({ phoneNumber: z.string().max(64), variables: perRow.shape.variables }))
      .min(1)
      .max(CHECKED_ROWS_MAX),
  })
  .strict()
  .meta({ id: "BatchCheckRequest" });

export const BatchCheck = z
  .strictObject({
    rows: z.array(
      z.strictObject({
        problems: z.array(z.strictObject({ code: z.string(), message: z.string() })).meta({
          description: "Why the row would not be called, or what it lacks. Empty if nothing is wrong.",
        }),
        waitsUntil: Timestamp.nullable().meta({ description: "When calling hours begin, if the call would wait." }),
        perMinute: Usd.nullable().meta({ description: "The price; `null` if there is none." }),
      }),
    ),
    charged: z.boolean().meta({ description: "Whether calls would be charged." }),
  })
  .meta({ id: "BatchCheck", description: "The rows in the order of the request." });
export type BatchCheck = z.infer<typeof BatchCheck>;
