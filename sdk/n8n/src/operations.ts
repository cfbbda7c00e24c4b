import type { IDataObject, IExecuteFunctions, INodeExecutionData } from "n8n-workflow";
import { createCall } from "./create-call.ts";
import { toInstant } from "./new-call.ts";
import { listAll } from "./pages.ts";
import { requestBytes, requestJson } from "./request.ts";

type Operation = (context: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData[]>;

/** By resource and operation. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  "call.create": async (context, itemIndex) => [{ json: await createCall(context, itemIndex) }],

  "call.get": async (context, itemIndex) => {
    const { data } = await requestJson(context, { method: "GET", path: callPath(context, itemIndex), itemIndex });
    return [{ json: data }];
  },

  "call.getAll": async (context, itemIndex) => {
    const query = context.getNodeParameter("filters", itemIndex, {}) as IDataObject;
    const calls = await listAll(
      context,
      { method: "GET", path: "/calls", query: withTimestamps(query), itemIndex },
      limitOf(context, itemIndex),
    );
    return context.helpers.returnJsonArray(calls);
  },

  "call.hangUp": async (context, itemIndex) => {
    const path = `${callPath(context, itemIndex)}/hangup`;
    const { data } = await requestJson(context, { method: "POST", path, itemIndex });
    return [{ json: data }];
  },

  "call.getTranscript": async (context, itemIndex) => {
    const path = `${callPath(context, itemIndex)}/transcript`;
    if (context.getNodeParameter("format", itemIndex) === "text") {
      const bytes = await requestBytes(context, { method: "GET", path, query: { format: "text" }, itemIndex });
      return [{ json: { callId: callIdOf(context, itemIndex), text: bytes.toString("utf8") } }];
    }
    const { data } = await requestJson(context, { method: "GET", path, itemIndex });
    return [{ json: data }];
  },

  "call.getRecording": async (context, itemIndex) => {
    const callId = callIdOf(context, itemIndex);
    const path = `${callPath(context, itemIndex)}/recording`;
    const bytes = await requestBytes(context, { method: "GET", path, itemIndex });
    const name = context.getNodeParameter("binaryPropertyName", itemIndex) as string;
    const file = await context.helpers.prepareBinaryData(bytes, `${callId}.wav`, "audio/wav");
    return [{ json: { callId }, binary: { [name]: file } }];
  },

  "agent.getAll": async (context, itemIndex) => {
    const request = { method: "GET", path: "/agents", itemIndex } as const;
    return context.helpers.returnJsonArray(await listAll(context, request, limitOf(context, itemIndex)));
  },

  "number.check": async (context, itemIndex) => {
    const body = { phoneNumber: (context.getNodeParameter("phoneNumber", itemIndex) as string).trim() };
    const { data } = await requestJson(context, { method: "POST", path: "/calls/check", body, itemIndex });
    return [{ json: data }];
  },
};

function callIdOf(context: IExecuteFunctions, itemIndex: number): string {
  return (context.getNodeParameter("callId", itemIndex) as string).trim();
}

function callPath(context: IExecuteFunctions, itemIndex: number): string {
  return `/calls/${encodeURIComponent(callIdOf(context, itemIndex))}`;
}

function limitOf(context: IExecuteFunctions, itemIndex: number): number {
  const returnsAll = context.getNodeParameter("returnAll", itemIndex, false) as boolean;
  return returnsAll ? Number.POSITIVE_INFINITY : (context.getNodeParameter("limit", itemIndex, 50) as number);
}

function withTimestamps(query: IDataObject): IDataObject {
  return Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [name, name.startsWith("created") ? toInstant(String(value)) : value]),
  );
}
