import type { BatchCheck, BatchCheckRequest } from "@parley/contract/batches";
import { AppError } from "@parley/contract/errors";
import { type Mode, PhoneNumber } from "@parley/contract/shared-fields";
import { requiredVariables } from "@parley/flow/required-variables";
import type { z } from "zod";
import { readAgentVersion } from "../../agents/read-agent-version.ts";
import { refuseByGate } from "../../phone/gate/gate-words.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { checkCall } from "../check-call.ts";
import type { CreateCallDeps } from "../create-call.ts";

/** A decision to refuse has at least one reason. */
type Refusals = Parameters<typeof refuseByGate>[0] & string[];
type CheckedRow = BatchCheck["rows"][number];

/** Checks rows of a list as if they were called now. Nothing is stored. */
export async function checkBatch(
  deps: CreateCallDeps,
  db: Database,
  accountId: string,
  mode: Mode,
  request: z.output<typeof BatchCheckRequest>,
): Promise<BatchCheck> {
  const { agentId, agentVersion, from, callingHours } = request;
  const agent = await inTransaction(db, (tx) => deps.findAgent(tx, accountId, agentId, agentVersion));
  if (!agent) throw new AppError("agent_not_found", "The account has no such agent.", { param: "agentId" });
  if (agent.version === null) {
    throw new AppError("agent_not_published", "The agent has no published version yet; publish it first.", {
      param: "agentId",
    });
  }
  const engine = deps.chooseEngine(request.engine, agent);
  const { flow } = await readAgentVersion(db, agentId, agent.version);
  const required = requiredVariables(flow);
  const firstOf = new Map<string, number>();
  let isCharged = false;
  const rows: CheckedRow[] = [];
  for (const [index, { phoneNumber, variables = {} }] of request.rows.entries()) {
    const problems = missingVariables(required, variables);
    if (!PhoneNumber.safeParse(phoneNumber).success) {
      const message = "The phone number must be a plus sign followed by 7 to 15 digits.";
      rows.push({ problems: [{ code: "not_e164", message }, ...problems], waitsUntil: null, perMinute: null });
      continue;
    }
    const first = firstOf.get(phoneNumber);
    firstOf.set(phoneNumber, first ?? index);
    if (first !== undefined) problems.push({ code: "duplicate", message: "The number occurs earlier in the list." });
    const checked = await checkCall(deps, db, accountId, mode, { phoneNumber, engine, from, callingHours });
    isCharged ||= checked.price?.charged ?? false;
    if (checked.gate.decision === "refused") {
      const { code, message } = refuseByGate(checked.gate.reasons as Refusals);
      problems.unshift({ code, message });
    }
    rows.push({ problems, waitsUntil: checked.waitsUntil, perMinute: checked.price?.totalPerMinute ?? null });
  }
  return { rows, charged: isCharged };
}

function missingVariables(
  required: readonly string[],
  variables: Readonly<Record<string, string>>,
): CheckedRow["problems"] {
  return required
    .filter((name) => (variables[name] ?? "").trim() === "")
    .map((name) => ({ code: "missing_variable", message: `The variable ${name} has no value.` }));
}
