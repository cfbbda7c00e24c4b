import { z } from "zod";

const SaidLine = z.string().min(1).max(1000);

const SimulationStep = z.union([
  z.strictObject({
    say: SaidLine.meta({
      description: "Says a line: the first at once, later ones when the agent has had its turn. `...` is a long pause.",
    }),
  }),
  z.strictObject({ waitMs: z.int().min(0).max(600_000) }),
  z.strictObject({
    waitForTurn: z.literal(true).meta({
      description:
        "Waits until the agent has had its turn, for half a minute at most. A line right after it is said at once.",
    }),
  }),
  z.strictObject({
    press: z
      .string()
      .regex(/^[0-9*#A-D]{1,32}$/)
      .meta({ description: "Presses keys, one after the other." }),
  }),
  z.strictObject({
    interruptAfterMs: z
      .int()
      .min(0)
      .max(600_000)
      .meta({ description: "Waits until the agent has been speaking for so long, and then speaks over it." }),
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
      .meta({ description: "What the callee does after it answered; after the last step it stays on the line." }),
    voice: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "The callee's voice. One that is not known is spoken by the usual one." }),
    noise: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: "How loud the noise behind the callee is, from none to louder than a quiet speaker." }),
  })
  .meta({ id: "Simulation", description: "What the simulated callee does. Test keys only." });
export type Simulation = z.infer<typeof Simulation>;
