import type { AnsweringMachine, CalleeStep, ToolReplies } from "@parley/contract/callee-steps";
import type { Flow } from "@parley/contract/flow";
import { tryAgent } from "@parley/contract/routes/try";
import type { TryReply } from "@parley/contract/try";
import { useMutation } from "@tanstack/react-query";
import { Hash, MessageSquare, PhoneOff, RotateCcw, Send, TimerOff } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { send } from "../../../api/send.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, SelectField } from "../../../ui/forms/field.tsx";
import type { EditorStore, PathPoint } from "../model/editor-store.ts";
import { type SampleValues, useSampleValues } from "../sample-values.ts";
import { CollectedValues, TalkLines } from "./conversation-lines.tsx";
import { ExampleValues } from "./example-values.tsx";
import { Keypad } from "./keypad.tsx";
import { SaveAsScenario } from "./save-as-scenario.tsx";
import { replyOf, type TryOutcome } from "./scenario-of-try.ts";
import { editorTryText } from "./text.tsx";
import { endLine, lineOfStep, linesOfEvents, type TryLine } from "./try-lines.ts";
import { TryRefusal } from "./try-refusal.tsx";

interface TryTextProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
}

/** A conversation by text. The agent is the real one; only recognition and speech are left out. */
export function TryText({ agentId, flow, store }: TryTextProps) {
  const talk = useTextTry({ agentId, store });
  const samples = useSampleValues(agentId);
  const [who, setWho] = useState<AnsweringMachine | "person">("person");
  const { current, isPending, error, leave } = talk;
  const left = useRef(leave);
  left.current = leave;
  useEffect(() => () => left.current(), []);
  const begin = () => talk.begin(samples, who === "person" ? null : { machine: who });

  if (!current) {
    return (
      <div className="space-y-4">
        <ExampleValues agentId={agentId} names={flow.variables} />
        <SelectField
          label={editorTryText.whoAnswers}
          value={who}
          onChange={({ target }) => setWho(target.value as typeof who)}
        >
          <option value="person">{editorTryText.person}</option>
          <option value="voicemail">{editorTryText.voicemail}</option>
          <option value="ivr">{editorTryText.phoneMenu}</option>
          <option value="screening">{editorTryText.callScreening}</option>
          <option value="fax">{editorTryText.fax}</option>
        </SelectField>
        {error ? <TryRefusal error={error} flow={flow} store={store} /> : null}
        <EmptyState
          icon={<MessageSquare />}
          title={editorTryText.textTitle}
          text={editorTryText.textLead}
          action={
            <Button look="primary" isBusy={isPending} onClick={begin}>
              {editorTryText.begin}
            </Button>
          }
        />
      </div>
    );
  }
  const isOver = current.reply.ended !== null;
  return (
    <div className="space-y-3">
      {current.flow === flow ? null : <Notice tone="accent">{editorTryText.textFlowChanged}</Notice>}
      <TalkLines lines={current.lines} onVisit={(nodeId) => store.goTo(nodeId)} />
      {error ? <TryRefusal error={error} flow={flow} store={store} /> : null}
      {isOver ? null : <Answer talk={talk} />}
      <div className="flex flex-wrap gap-2">
        <Button size="small" isBusy={isPending} onClick={begin}>
          <RotateCcw aria-hidden="true" />
          {editorTryText.beginAgain}
        </Button>
        <SaveAsScenario agentId={agentId} flow={current.flow} outcome={outcomeOf(current)} />
      </div>
      <CollectedValues values={current.reply.collected} />
    </div>
  );
}

/** What the callee may do now: speak, press keys, say nothing, hang up. */
function Answer({ talk }: { readonly talk: ReturnType<typeof useTextTry> }) {
  const { current, isPending, step } = talk;
  const [words, setWords] = useState("");
  const [hasKeys, setHasKeys] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const expects = current?.reply.expects ?? null;
  const say = (text: string) => {
    if (text.trim() === "" || isPending) return;
    setWords("");
    step({ say: text.trim() });
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    say(words);
  };
  return (
    <div className="space-y-2.5">
      {expects && expects.answers.length > 0 ? (
        <ul aria-label={editorTryText.expectedAnswers} className="flex flex-wrap gap-1.5">
          {expects.answers.slice(0, 6).map((answer) => (
            <li key={answer}>
              <button
                type="button"
                disabled={isPending}
                onClick={() => say(answer)}
                className="rounded-full border border-line bg-surface px-3 py-1 text-sm hover:bg-sunken disabled:opacity-55"
              >
                {answer}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <form onSubmit={submit} className="flex gap-1.5">
        <input
          ref={field}
          aria-label={editorTryText.whatYouSay}
          placeholder={editorTryText.saySomething}
          value={words}
          maxLength={1000}
          onChange={({ target }) => setWords(target.value)}
          className={`${CONTROL} h-10`}
        />
        <Button type="submit" look="primary" size="icon" aria-label={editorTryText.sayIt} isBusy={isPending}>
          <Send aria-hidden="true" />
        </Button>
      </form>
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" look="quiet" disabled={isPending} onClick={() => step({ silent: true })}>
          <TimerOff aria-hidden="true" />
          {editorTryText.sayNothing}
        </Button>
        <Button size="small" look="quiet" aria-expanded={hasKeys} onClick={() => setHasKeys(!hasKeys)}>
          <Hash aria-hidden="true" />
          {editorTryText.keys}
        </Button>
        <Button size="small" look="quiet" disabled={isPending} onClick={() => step({ hangUp: true })}>
          <PhoneOff aria-hidden="true" />
          {editorTryText.hangUp}
        </Button>
      </div>
      {hasKeys ? <Keypad isDisabled={isPending} onPress={(key) => step({ press: key })} /> : null}
    </div>
  );
}

/** The state of a try by text. */
interface TextTry {
  /** The flow and the values it started with: both stay unchanged until it is restarted. */
  readonly flow: Flow;
  readonly variables: SampleValues;
  readonly lines: readonly TryLine[];
  readonly steps: readonly CalleeStep[];
  readonly path: readonly PathPoint[];
  readonly isSuppressed: boolean;
  readonly toolReplies: ToolReplies;
  readonly reply: TryReply;
}

interface Parts {
  readonly agentId: string;
  readonly store: EditorStore;
}

/** Runs a try by text with the real runner, and shows its position on the canvas. */
function useTextTry({ agentId, store }: Parts) {
  const [current, setCurrent] = useState<TextTry | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({
      before,
      step,
      variables,
    }: {
      before: TextTry | null;
      step: CalleeStep | null;
      variables: SampleValues;
    }) => {
      const flow = before?.flow ?? store.getSnapshot().flow;
      return takeTurn(agentId, flow, before, step, before?.variables ?? variables);
    },
    onSuccess: (next) => {
      setCurrent(next);
      store.setActiveNode(next.reply.nodeId);
      store.setPath(next.path);
    },
  });
  return {
    current,
    isPending,
    error,
    /** Starts again; a machine may answer instead of a person. */
    begin: (variables: SampleValues, machine: CalleeStep | null = null) => {
      setCurrent(null);
      mutate({ before: null, step: machine, variables });
    },
    step: (step: CalleeStep) => (current ? mutate({ before: current, step, variables: current.variables }) : undefined),
    leave: () => {
      reset();
      setCurrent(null);
      store.setActiveNode(null);
      store.setPath([]);
    },
  };
}

async function takeTurn(
  agentId: string,
  flow: Flow,
  before: TextTry | null,
  step: CalleeStep | null,
  variables: SampleValues,
): Promise<TextTry> {
  const filled = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const reply = await send(tryAgent, {
    params: { id: agentId },
    body: {
      flow,
      ...(before ? { state: before.reply.state } : { variables: filled }),
      ...(step ? { callee: step } : {}),
    },
  });
  return {
    flow,
    variables,
    lines: [
      ...(before?.lines ?? []),
      ...(step ? [lineOfStep(step)] : []),
      ...linesOfEvents(reply.events, flow),
      ...(reply.ended ? [endLine(reply.ended.reason)] : []),
    ],
    steps: [...(before?.steps ?? []), ...(step ? [step] : [])],
    path: [...(before?.path ?? []), ...reply.events.filter((event) => event.type === "node")],
    toolReplies: {
      ...before?.toolReplies,
      ...Object.fromEntries(
        reply.events.flatMap((event) => (event.type === "tool_result" ? [[event.name, replyOf(event)]] : [])),
      ),
    },
    isSuppressed: before?.isSuppressed === true || reply.events.some(({ type }) => type === "suppressed"),
    reply,
  };
}

function outcomeOf({ steps, variables, path, isSuppressed, toolReplies, reply }: TextTry): TryOutcome {
  return {
    steps,
    variables,
    path: path.map(({ nodeId }) => nodeId),
    isSuppressed,
    toolReplies,
    collected: reply.collected,
    endReason: reply.ended?.reason ?? null,
  };
}
