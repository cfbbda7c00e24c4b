import { z } from "zod";
import { DoctorReport, DoctorRequest, EngineReport } from "../doctor.ts";
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

export const examineEngine = defineRoute({
  id: "examineEngine",
  method: "POST",
  path: "/api/v1/operator/engines/{name}/doctor",
  tag: "Operator",
  summary: "Make one round trip to each part of an engine and report how long it takes; vendors charge for it",
  access: { by: "member", role: "operator" },
  params: z.strictObject({ name: z.string().min(1).max(200).meta({ example: "deepgram-openai-elevenlabs" }) }),
  data: EngineReport,
  errors: ["not_found", "engine_unavailable"],
});
