import type { IDataObject, IExecuteFunctions } from "n8n-workflow";
import { NodeOperationError, sleep } from "n8n-workflow";
import { type CallFields, idempotencyKeyOf, newCallOf } from "./new-call.ts";
import { isTemporary, requestJson } from "./request.ts";

const POLL_FIRST_MS = 500;
const POLL_MAX_MS = 5_000;

/** Places a call, once, and waits as long as the node says. */
export async function createCall(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject> {
  const fields = readFields(context, itemIndex);
  const body = newCallOf(fields) as IDataObject;
  const given = String(fields.additionalFields["idempotencyKey"] ?? "").trim();
  const parts = {
    executionId: context.getExecutionId(),
    nodeId: context.getNode().id,
    runIndex: Number(context.evaluateExpression("{{ $runIndex }}", itemIndex)),
    itemIndex,
  };
  const headers = { "Idempotency-Key": given === "" ? idempotencyKeyOf(parts, body) : given };
  const { data } = await requestJson(context, { method: "POST", path: "/calls", body, headers, itemIndex });
  return context.getNodeParameter("waitFor", itemIndex) === "outcome"
    ? waitForOutcome(context, data.id, itemIndex)
    : data;
}

function readFields(context: IExecuteFunctions, itemIndex: number): CallFields {
  return {
    phoneNumber: String(context.getNodeParameter("phoneNumber", itemIndex)),
    agentId: String(context.getNodeParameter("agentId", itemIndex)),
    variables: context.getNodeParameter("variables", itemIndex, {}) as CallFields["variables"],
    additionalFields: context.getNodeParameter("additionalFields", itemIndex, {}) as CallFields["additionalFields"],
  };
}

async function waitForOutcome(context: IExecuteFunctions, id: string, itemIndex: number): Promise<IDataObject> {
  const minutes = context.getNodeParameter("waitMinutes", itemIndex) as number;
  const giveUpAtMs = Date.now() + minutes * 60_000;
  for (let pollMs = POLL_FIRST_MS; ; pollMs = Math.min(POLL_MAX_MS, pollMs * 1.5)) {
    const call = await readCall(context, id, itemIndex);
    if (call && hasOutcome(call)) return call;
    if (context.getExecutionCancelSignal()?.aborted)
      throw new NodeOperationError(context.getNode(), `The execution was canceled; ${id} goes on`, { itemIndex });
    if (Date.now() + pollMs > giveUpAtMs)
      throw new NodeOperationError(context.getNode(), `${id} has no outcome after ${minutes} minutes`, {
        description: `The call ${call ? `is ${call.phase} and goes on` : "cannot be read now"}. Wait longer, or use the trigger for its outcome.`,
        itemIndex,
      });
    await sleep(pollMs);
  }
}

type WaitedCall = IDataObject & { phase: string; analysis: { status: string } | null };

/** Null while the service cannot be reached: a restart of it is no reason to give up a call that goes on. */
async function readCall(context: IExecuteFunctions, id: string, itemIndex: number): Promise<WaitedCall | null> {
  try {
    const { data } = await requestJson(context, { method: "GET", path: `/calls/${id}`, itemIndex });
    return data as WaitedCall;
  } catch (error) {
    if (isTemporary(error)) return null;
    throw error;
  }
}

/** Calls that nobody answered have no analysis. */
function hasOutcome({ phase, analysis }: WaitedCall): boolean {
  return phase === "ended" && analysis?.status !== "pending";
}
