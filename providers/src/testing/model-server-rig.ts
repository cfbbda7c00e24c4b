import type { LanguageModelRig, PlannedReply } from "@parley/voice/conformance/language-model-rig";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import type { ModelMove } from "./model-move.ts";
import { type ServerPlan, startModelServer } from "./model-server.ts";

export interface ServedModel {
  readonly model: LanguageModel;
  close(): Promise<void>;
}

/** Connects an adapter to a server of its protocol, for the conformance suite. */
export async function openModelServerRig(openModel: (url: string) => ServedModel): Promise<LanguageModelRig> {
  const server = await startModelServer();
  const { model, close } = openModel(server.url);
  return {
    model,
    plan: (...replies) => server.plan(...replies.map(toServerPlan)),
    requestsSeen: () => server.requests.length,
    allTakenUp: () => server.allTakenUp(),
    nothingLeft: () => server.nothingLeft(),
    async close() {
      await close();
      await server.close();
    },
  };
}

function toServerPlan(reply: PlannedReply): ServerPlan {
  switch (reply.type) {
    case "silence":
      return { type: "silence" };
    case "overloaded":
      return { type: "failure", status: 503 };
    case "rejected":
      return { type: "failure", status: 400 };
    case "reply":
      return { type: "stream", moves: [...toMoves(reply), { type: "end" }] };
    case "stall":
      return { type: "stream", moves: [...toMoves(reply), { type: "hang" }] };
    case "cut":
      return { type: "stream", moves: [...toMoves(reply), { type: "cut" }] };
  }
}

function toMoves({
  texts,
  calls = [],
}: Pick<Extract<PlannedReply, { type: "reply" }>, "texts" | "calls">): ModelMove[] {
  return [
    ...texts.map((text): ModelMove => ({ type: "text", text })),
    ...calls.map(({ id, tool, input }): ModelMove => ({ type: "call", id, tool, inputPieces: inPieces(input) })),
  ];
}

/** Three letters at a time, as models write. */
function inPieces(input: object): string[] {
  return JSON.stringify(input).match(/.{1,3}/gsu) ?? [];
}
