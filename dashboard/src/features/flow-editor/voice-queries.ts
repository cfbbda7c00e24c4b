import { listVoices, previewVoice } from "@parley/contract/routes/voices";
import { VOICE_PREVIEW_CHARS_MAX } from "@parley/contract/voices";
import { queryOptions } from "@tanstack/react-query";
import { addressOf, fetchOrRefuse, send } from "../../api/send.ts";

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

/** Has a voice say something, and fetches the sound. */
export async function fetchPreview({ voice, text, language, variables }: Preview): Promise<ArrayBuffer> {
  const reply = await fetchOrRefuse(addressOf(previewVoice, { params: { id: voice } }), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", accept: "audio/wav, application/json" },
    body: JSON.stringify({ text: cut(text), variables, ...(language ? { language } : {}) }),
  });
  return reply.arrayBuffer();
}

/** What is longer than a preview may be is heard up to a whole word. */
function cut(text: string): string {
  if (text.length <= VOICE_PREVIEW_CHARS_MAX) return text;
  return text.slice(0, VOICE_PREVIEW_CHARS_MAX).replace(/\s+\S*$/, "");
}
