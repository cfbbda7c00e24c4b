import { z } from "zod";

const SaidLine = z.string().min(1).max(1000);

const SimulationStep = z.union([
  z.strictObject({
    say: SaidLine.meta({
      description:
        "Speaks a line: the first immediately, later ones after the agent has spoken. `...` is a long pause.",
    }),
  }),
  z.strictObject({ waitMs: z.int().min(0).max(600_000) }),
  z.strictObject({
    waitForTurn: z.literal(true).meta({
      description:
        "Waits until the agent has spoken, for at most 30 seconds. A line directly after it is spoken immediately.",
    }),
  }),
  z.strictObject({
    press: z
      .string()
      .regex(/^[0-9*#A-D]{1,32}$/)
      .meta({ description: "Presses keys in sequence." }),
  }),
  z.strictObject({
    interruptAfterMs: z
      .int()
      .min(0)
      .max(600_000)
      .meta({ description: "Waits until the agent has been speaking for this long, then speaks over it." }),
    say: SaidLine,
  }),
  z.strictObject({ hangUp: z.literal(true) }),
]);

export const Simulation = z
  .strictObject({
    answerAfterMs: z.int().min(0).max(120_000).optional(),
    script: z
      .array(SimulationStep)
      .max(100)
      .optional()
      .meta({ description: "What the callee does after answering; after the last step it stays on the line." }),
    voice: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "The callee's voice. An unknown voice is replaced by the default." }),
    noise: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: "The level of background noise, from none to louder than a quiet speaker." }),
  })
  .meta({ id: "Simulation", description: "The behaviour of the simulated callee. Test keys only." });
export type Simulation = z.infer<typeof Simulation>;
