import { z } from "zod";

export const Engine = z
  .strictObject({
    name: z.string().meta({ example: "local" }),
    description: z.string(),
    available: z.boolean(),
    missing: z.array(z.string()).meta({ description: "Settings to make before it can be used." }),
    isDefault: z.boolean(),
  })
  .meta({ id: "Engine" });
export type Engine = z.infer<typeof Engine>;
