import type { Flow } from "@parley/contract/flow";
import { getAgent } from "@parley/contract/routes/agents";
import { listVoices, previewVoice } from "@parley/contract/routes/voices";
import { VOICE_PREVIEW_CHARS_MAX } from "@parley/contract/voices";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { addressOf, fetchOrRefuse, send } from "../../api/send.ts";
import { agentsQuery } from "../agents/agent-list-query.ts";

interface SampleVoice {
  readonly isFetching: boolean;
  readonly isPlaying: boolean;
  readonly error: unknown;
  start(): void;
  stop(): void;
}

/**
 * Lets one hear how an agent opens a call, in the voice it has on the phone. The sound is decoded here: the page's policy
 * lets media elements play nothing that was made in the page.
 */
export function useSampleVoice(onHeard: () => void): SampleVoice {
  const queries = useQueryClient();
  const context = useRef<AudioContext | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const stop = () => {
    void context.current?.close();
    context.current = null;
    setPlaying(false);
  };
  useEffect(() => () => void context.current?.close(), []);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (player: AudioContext) => {
      const [agents, voices] = await Promise.all([queries.fetchQuery(agentsQuery), send(listVoices)]);
      const sample = agents.find(({ publishedVersion }) => publishedVersion !== null);
      const flow = sample ? (await send(getAgent, { params: { id: sample.id } })).flow : null;
      const wanted = flow?.settings?.voice;
      const voice =
        voices.find(({ id, available }) => available && id === wanted) ??
        voices.find(({ available, isDefault }) => available && isDefault) ??
        voices.find(({ available }) => available);
      const line = (flow && openingLine(flow)) ?? "Hello, this is how an agent sounds on the phone.";
      const reply = await fetchOrRefuse(addressOf(previewVoice, { params: { id: voice?.id ?? "" } }), {
        method: "POST",
        credentials: "same-origin",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: line.slice(0, VOICE_PREVIEW_CHARS_MAX) }),
      });
      return player.decodeAudioData(await reply.arrayBuffer());
    },
    onSuccess: (sound, player) => {
      if (context.current !== player) return;
      const source = new AudioBufferSourceNode(player, { buffer: sound });
      source.connect(player.destination);
      source.onended = () => setPlaying(false);
      source.start();
      setPlaying(true);
      onHeard();
    },
  });
  return {
    isFetching: isPending,
    isPlaying,
    error,
    start: () => {
      stop();
      // Made by the click itself: a browser lets nothing sound that nobody asked for.
      context.current = new AudioContext();
      mutate(context.current);
    },
    stop,
  };
}

const FOLLOWED_MAX = 10;

/** What an agent says first, as its flow writes it; null when that is left to a model. */
export function openingLine(flow: Flow): string | null {
  const byId = new Map(flow.nodes.map((node) => [node.id, node]));
  let node = flow.nodes.find(({ type }) => type === "start");
  // A flow may lead back to where it began.
  for (let count = 0; node && count < FOLLOWED_MAX; count += 1) {
    if ("text" in node && node.text) return node.text;
    node = "next" in node && node.next ? byId.get(node.next) : undefined;
  }
  return null;
}
