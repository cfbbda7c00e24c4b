import { z } from "zod";
import { DoctorReport, DoctorRequest } from "../doctor.ts";
import { idSchema } from "../ids.ts";
import { defineRoute } from "../route.ts";

export const examineTrunk = defineRoute({
  id: "examineTrunk",
  method: "POST",
  path: "/api/v1/operator/trunks/{id}/doctor",
  tag: "Trunks",
  summary: "Test a trunk end to end and explain what is wrong; takes up to two minutes with a call",
  access: { by: "member", role: "operator" },
  params: z.strictObject({ id: idSchema("trunk") }),
  body: DoctorRequest,
  bodyOptional: true,
  data: DoctorReport,
  errors: ["not_found", "invalid_state"],
});
