import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Scope } from "./scopes.ts";
import { Mode } from "./shared-fields.ts";

export const GrantedAccess = z
  .strictObject({
    accountId: idSchema("account"),
    mode: Mode,
    scopes: z.array(Scope).meta({ description: "Those of the key, or those that the member may grant." }),
    by: z.enum(["key", "member"]),
  })
  .meta({ id: "GrantedAccess", description: "What a request with these credentials may do." });
export type GrantedAccess = z.infer<typeof GrantedAccess>;
