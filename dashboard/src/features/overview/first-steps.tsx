import type { ApiKey } from "@parley/contract/api-keys";
import type { Flow } from "@parley/contract/flow";
import { getAgent } from "@parley/contract/routes/agents";
import { listVoices, previewVoice } from "@parley/contract/routes/voices";
import { VOICE_PREVIEW_CHARS_MAX } from "@parley/contract/voices";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, CircleStop, KeyRound, PhoneOutgoing, Volume2, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { addressOf, fetchOrThrow, send } from "../../api/send.ts";
import { meQuery } from "../../api/sign-in-state.ts";
import { language } from "../../languages/language.ts";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { agentsQuery } from "../agents/agent-list-query.ts";
import { keysQuery } from "../settings/api-keys/key-queries.ts";
import { overviewText } from "./text.ts";
import { hasTestCallQuery } from "./usage-queries.ts";

interface FirstStepsProps {
  readonly steps: Steps;
  onPlace(): void;
  onDismiss(): void;
}

/** The first steps of a new account. Each is checked off when it is done, wherever it was done. */
export function FirstSteps({ steps, onPlace, onDismiss }: FirstStepsProps) {
  const voice = useSampleVoice(steps.markHeard);
  const doneCount = [steps.hasHeard, steps.hasKey, steps.hasCalled].filter(Boolean).length;
  return (
    <section aria-labelledby="first-steps" className="rounded-2xl border border-line bg-surface">
      <div className="flex items-start justify-between gap-4 px-5 pt-5 sm:px-6 sm:pt-6">
        <div>
          <h2 id="first-steps" className="text-lg font-semibold">
            {overviewText.firstStepsTitle}
          </h2>
          <p role="status" className="text-sm text-ink-soft">
            {overviewText.firstStepsDone(doneCount)}
          </p>
        </div>
        <Button look="quiet" size="smallIcon" aria-label={overviewText.dismissFirstSteps} onClick={onDismiss}>
          <X aria-hidden="true" />
        </Button>
      </div>
      <ol className="divide-y divide-line px-5 pb-2 sm:px-6">
        <Step
          number={1}
          isDone={steps.hasHeard}
          title={overviewText.listenTitle}
          text={voice.error ? errorText(voice.error) : overviewText.listenHint}
          action={
            voice.isPlaying ? (
              <Button onClick={voice.stop}>
                <CircleStop aria-hidden="true" />
                {overviewText.stop}
              </Button>
            ) : (
              <Button look={steps.hasHeard ? "secondary" : "primary"} onClick={voice.start} isBusy={voice.isFetching}>
                <Volume2 aria-hidden="true" />
                {voice.isFetching ? overviewText.loading : overviewText.listen}
              </Button>
            )
          }
        />
        <Step
          number={2}
          isDone={steps.hasKey}
          title={overviewText.keyTitle}
          text={overviewText.keyHint}
          action={
            <Link to="/settings/developer" className={buttonClass({ look: nextLook(steps.hasHeard, steps.hasKey) })}>
              <KeyRound aria-hidden="true" />
              {overviewText.createKey}
            </Link>
          }
        />
        <Step
          number={3}
          isDone={steps.hasCalled}
          title={overviewText.callTitle}
          text={overviewText.callHint}
          action={
            <Button look={nextLook(steps.hasHeard && steps.hasKey, steps.hasCalled)} onClick={onPlace}>
              <PhoneOutgoing aria-hidden="true" />
              {overviewText.placeCall}
            </Button>
          }
        />
      </ol>
    </section>
  );
}

/** The next step is highlighted; the others are available too. */
function nextLook(isItsTurn: boolean, isDone: boolean): "primary" | "secondary" {
  return isItsTurn && !isDone ? "primary" : "secondary";
}

interface StepProps {
  readonly number: number;
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly action: ReactNode;
}

function Step({ number, isDone, title, text, action }: StepProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <span
        aria-hidden="true"
        className={`grid size-8 shrink-0 place-items-center rounded-full text-sm font-semibold ${isDone ? "bg-accent text-accent-ink" : "bg-sunken text-ink-soft"}`}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium">
          {title}
          {isDone ? <span className="sr-only"> {overviewText.done}</span> : null}
        </h3>
        <p className="text-sm text-ink-soft">{text}</p>
      </div>
      <div className="ml-12 sm:ml-auto">{action}</div>
    </li>
  );
}

interface Steps {
  readonly hasHeard: boolean;
  readonly hasKey: boolean;
  readonly hasCalled: boolean;
  /** Whether to show them: not all are done and they were not dismissed. Null while that is unknown. */
  readonly isOpen: boolean | null;
  markHeard(): void;
  putAway(isAway: boolean): void;
}

/** The progress of a new member: only what they did themselves counts. */
export function useSteps(): Steps {
  const { data: me } = useQuery(meQuery);
  const keys = useInfiniteQuery(keysQuery);
  const [hasHeard, keepHeard] = useKeptFlag("heard", me?.account.id);
  const [isAway, putAway] = useKeptFlag("steps-away", me?.account.id);
  // The installation creates the first key itself and colleagues create theirs.
  const email = me?.member.email ?? null;
  const own = email === null ? [] : (keys.data?.pages ?? []).flatMap(({ rows }) => rows).filter(isCreatedBy(email));
  const used = own.filter(({ lastUsedAt }) => lastUsedAt !== null).map(({ id }) => id);
  const call = useQuery({
    ...hasTestCallQuery(me?.member.id ?? "", used),
    enabled: me !== undefined && !keys.isPending,
  });
  const hasKey = own.length > 0;
  const hasCalled = call.data ?? false;
  const isKnown = !keys.isPending && !call.isPending;
  return {
    hasHeard,
    hasKey,
    hasCalled,
    isOpen: isAway ? false : isKnown ? !(hasHeard && hasKey && hasCalled) : null,
    markHeard: () => keepHeard(true),
    putAway,
  };
}

const isCreatedBy = (email: string) => (key: ApiKey) => key.createdBy === email;

/** A flag that this browser stores for one account. */
function useKeptFlag(name: string, accountId: string | undefined): readonly [boolean, (isSet: boolean) => void] {
  const keptAs = `parley.${name}.${accountId ?? ""}`;
  const [, setChanges] = useState(0);
  const keep = (isSet: boolean) => {
    if (isSet) localStorage.setItem(keptAs, "yes");
    else localStorage.removeItem(keptAs);
    setChanges((count) => count + 1);
  };
  return [localStorage.getItem(keptAs) === "yes", keep];
}

interface SampleVoice {
  readonly isFetching: boolean;
  readonly isPlaying: boolean;
  readonly error: unknown;
  start(): void;
  stop(): void;
}

/**
 * Plays how an agent opens a call, in its voice on the phone. The audio is decoded here: the content security policy
 * forbids media elements to play generated content.
 */
function useSampleVoice(onHeard: () => void): SampleVoice {
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
      const line = flow && openingLine(flow);
      const said = line === null ? { text: overviewText.sampleSentence, language } : { text: line };
      const reply = await fetchOrThrow(addressOf(previewVoice, { params: { id: voice?.id ?? "" } }), {
        method: "POST",
        credentials: "same-origin",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...said, text: said.text.slice(0, VOICE_PREVIEW_CHARS_MAX) }),
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
      // Created in the click handler: browsers block audio without a user gesture.
      context.current = new AudioContext();
      mutate(context.current);
    },
    stop,
  };
}

const FOLLOWED_MAX = 10;

/** The agent's first sentence, as written in its flow; null when a model generates it. */
export function openingLine(flow: Flow): string | null {
  const byId = new Map(flow.nodes.map((node) => [node.id, node]));
  let node = flow.nodes.find(({ type }) => type === "start");
  // A flow may contain loops.
  for (let count = 0; node && count < FOLLOWED_MAX; count += 1) {
    if ("text" in node && node.text) return node.text;
    node = "next" in node && node.next ? byId.get(node.next) : undefined;
  }
  return null;
}
