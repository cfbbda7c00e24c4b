import type { Engine } from "@parley/contract/engines";
import { getAgent, getAgentVersion, listAgentVersions } from "@parley/contract/routes/agents";
import { listVoices, previewVoice } from "@parley/contract/routes/voices";
import { VOICE_PREVIEW_CHARS_MAX } from "@parley/contract/voices";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { addressOf, fetchOrThrow, send, sendForPage } from "../../api/send.ts";
import { enginesQuery } from "../agents/agent-list-query.ts";
import { openAgent, withPlaces } from "./open-agent.ts";

/** An agent as it is opened for editing. Never a stale copy: its revision decides whether a save is accepted. */
export const openedAgentQuery = (agentId: string) =>
  queryOptions({
    queryKey: ["opened-agent", agentId],
    queryFn: async ({ signal }) => openAgent(await send(getAgent, { params: { id: agentId }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const versionsQuery = (agentId: string) =>
  infiniteQueryOptions({
    queryKey: ["agent-versions", agentId],
    queryFn: ({ pageParam, signal }) =>
      sendForPage(listAgentVersions, {
        params: { id: agentId },
        query: { limit: "50", cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

/** A version never changes. */
export const versionQuery = (agentId: string, version: number) =>
  queryOptions({
    queryKey: ["agent-version", agentId, version],
    queryFn: ({ signal }) => send(getAgentVersion, { params: { id: agentId, version: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The flow of a version, with a position for every node. */
export const drawnVersionQuery = (agentId: string, version: number) =>
  queryOptions({
    queryKey: ["agent-version", agentId, version, "drawn"],
    queryFn: async ({ client }) => withPlaces((await client.ensureQueryData(versionQuery(agentId, version))).flow),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The language models that nodes can ask, the installation's default first. Empty while none is set up. */
export const modelNamesQuery = queryOptions({ ...enginesQuery, select: modelNamesOf });

function modelNamesOf(engines: readonly Engine[]): readonly string[] {
  // Engines that are not a model themselves all ask the same ones.
  const model = engines.find((engine) => engine.model?.name != null)?.model;
  return model?.name == null ? [] : [model.name, ...model.fallbacks];
}

export const voicesQuery = queryOptions({
  queryKey: ["voices"],
  queryFn: ({ signal }) => send(listVoices, { signal }),
  staleTime: 300_000,
});

interface Preview {
  readonly voice: string;
  readonly text: string;
  readonly language?: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Fetches the audio of a voice speaking a text. */
export async function fetchPreview({ voice, text, language, variables }: Preview): Promise<ArrayBuffer> {
  const reply = await fetchOrThrow(addressOf(previewVoice, { params: { id: voice } }), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", accept: "audio/wav, application/json" },
    body: JSON.stringify({ text: cut(text), variables, ...(language ? { language } : {}) }),
  });
  return reply.arrayBuffer();
}

/** Text that is too long for a preview is cut at a word boundary. */
function cut(text: string): string {
  if (text.length <= VOICE_PREVIEW_CHARS_MAX) return text;
  return text.slice(0, VOICE_PREVIEW_CHARS_MAX).replace(/\s+\S*$/, "");
}
