import { z } from "zod";
import { Call } from "./calls.ts";
import { idSchema } from "./ids.ts";
import { Name, Timestamp } from "./shared-fields.ts";

const TAGS_MAX = 20;
const Tag = Name.max(40);

export const CallNotes = z
  .strictObject({
    tags: z.array(z.string()),
    note: z.string(),
    changedAt: Timestamp.nullable().meta({ description: "`null` if nothing was ever written." }),
  })
  .meta({ id: "CallNotes", description: "What members wrote about a call. It is erased with the data of the call." });
export type CallNotes = z.infer<typeof CallNotes>;

export const CallNotesChanges = z
  .strictObject({
    tags: z
      .array(Tag)
      .max(TAGS_MAX)
      .refine((tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length, "must not repeat a tag")
      .optional()
      .meta({ description: "Replaces all tags." }),
    note: z.string().max(5000).optional(),
  })
  .meta({ id: "CallNotesChanges" });

export const NewCallShare = z
  .strictObject({
    days: z.int().min(1).max(30).default(7).meta({ description: "How long the link works." }),
    recording: z.boolean().default(true).meta({ description: "Whether the recording can be heard." }),
  })
  .meta({ id: "NewCallShare" });

export const CallShare = z
  .strictObject({
    id: idSchema("callShare"),
    recording: z.boolean(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: "CallShare", description: "A link by which anyone can see a call." });
export type CallShare = z.infer<typeof CallShare>;

export const CreatedCallShare = CallShare.extend({
  url: z.url().meta({ description: "Shown only once." }),
}).meta({ id: "CreatedCallShare" });

export const SharedCall = z
  .strictObject({
    ...Call.pick({ createdAt: true, status: true, phase: true, endReason: true, durationSeconds: true }).shape,
    phoneNumber: z.string().meta({ description: "Only the last four digits.", example: "•••• 0001" }),
    agentName: z.string(),
    transcript: z
      .array(z.strictObject({ role: z.enum(["callee", "agent"]), text: z.string(), startMs: z.int() }))
      .meta({ description: "What was said and heard." }),
    recordingUrl: z.string().nullable().meta({ description: "Plays for ten minutes." }),
    expiresAt: Timestamp,
  })
  .meta({
    id: "SharedCall",
    description: "A call as the holder of a link sees it: without metadata, cost and results.",
  });
export type SharedCall = z.infer<typeof SharedCall>;
