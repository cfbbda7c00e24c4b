import type { Pronunciation } from "@parley/contract/pronunciations";
import { listVoices, previewVoice } from "@parley/contract/routes/voices";
import { VOICE_PREVIEW_CHARS_MAX } from "@parley/contract/voices";
import { queryOptions } from "@tanstack/react-query";
import { addressOf, fetchOrThrow, send } from "../../api/send.ts";

export const voicesQuery = queryOptions({
  queryKey: ["voices"],
  queryFn: ({ signal }) => send(listVoices, { signal }),
  staleTime: 300_000,
});

export interface Preview {
  readonly voice: string;
  readonly text: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly pace?: number | undefined;
  readonly pronunciations?: readonly Pronunciation[] | undefined;
}

/** Fetches the audio of a voice speaking a text. */
export async function fetchPreview({ voice, text, ...style }: Preview): Promise<ArrayBuffer> {
  const reply = await fetchOrThrow(addressOf(previewVoice, { params: { id: voice } }), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", accept: "audio/wav, application/json" },
    body: JSON.stringify({ text: cut(text), ...style }),
  });
  return reply.arrayBuffer();
}

/** Text that is too long for a preview is cut at a word boundary. */
function cut(text: string): string {
  if (text.length <= VOICE_PREVIEW_CHARS_MAX) return text;
  return text.slice(0, VOICE_PREVIEW_CHARS_MAX).replace(/\s+\S*$/, "");
}
