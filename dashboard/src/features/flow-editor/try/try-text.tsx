import type { AnsweringMachine } from "@parley/contract/callee-steps";
import type { Flow } from "@parley/contract/flow";
import { Hash, MessageSquare, PhoneOff, RotateCcw, Send, TimerOff } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { CONTROL, SelectField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { EditorStore } from "../model/editor-store.ts";
import { useSampleValues } from "../sample-values.ts";
import { CollectedValues } from "./collected-values.tsx";
import { ExampleValues } from "./example-values.tsx";
import { Keypad } from "./keypad.tsx";
import { SaveAsScenario } from "./save-as-scenario.tsx";
import { TalkLines } from "./talk-lines.tsx";
import { TryRefusal } from "./try-refusal.tsx";
import { outcomeOf, useTextTry } from "./use-text-try.ts";

interface TryTextProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
}

/** A conversation by text. The agent is the real one; only its ears and its voice are left out. */
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
        <SelectField label="Who answers" value={who} onChange={({ target }) => setWho(target.value as typeof who)}>
          <option value="person">A person</option>
          <option value="voicemail">A voicemail</option>
          <option value="ivr">A phone menu</option>
          <option value="screening">Call screening</option>
          <option value="fax">A fax machine</option>
        </SelectField>
        {error ? <TryRefusal error={error} flow={flow} store={store} /> : null}
        <EmptyState
          icon={<MessageSquare />}
          title="Write with your agent"
          text="You are the callee. What the agent does with your answers lights up on the canvas."
          action={
            <Button look="primary" isBusy={isPending} onClick={begin}>
              Begin
            </Button>
          }
        />
      </div>
    );
  }
  const isOver = current.reply.ended !== null;
  return (
    <div className="space-y-3">
      {current.flow === flow ? null : (
        <Notice tone="accent">The flow has changed since this try began. Begin again to try it as it is now.</Notice>
      )}
      <TalkLines lines={current.lines} onVisit={(nodeId) => store.goTo(nodeId)} />
      {error ? <TryRefusal error={error} flow={flow} store={store} /> : null}
      {isOver ? null : <Answer talk={talk} />}
      <div className="flex flex-wrap gap-2">
        <Button size="small" isBusy={isPending} onClick={begin}>
          <RotateCcw aria-hidden="true" />
          Begin again
        </Button>
        <SaveAsScenario agentId={agentId} outcome={outcomeOf(current)} />
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
        <ul aria-label="Answers the agent expects" className="flex flex-wrap gap-1.5">
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
          aria-label="What you say"
          placeholder="Say something"
          value={words}
          maxLength={1000}
          onChange={({ target }) => setWords(target.value)}
          className={`${CONTROL} h-10`}
        />
        <Button type="submit" look="primary" size="icon" aria-label="Say it" isBusy={isPending}>
          <Send aria-hidden="true" />
        </Button>
      </form>
      <div className="flex flex-wrap gap-1.5">
        <Button size="small" look="quiet" disabled={isPending} onClick={() => step({ silent: true })}>
          <TimerOff aria-hidden="true" />
          Say nothing
        </Button>
        <Button size="small" look="quiet" aria-expanded={hasKeys} onClick={() => setHasKeys(!hasKeys)}>
          <Hash aria-hidden="true" />
          Keys
        </Button>
        <Button size="small" look="quiet" disabled={isPending} onClick={() => step({ hangUp: true })}>
          <PhoneOff aria-hidden="true" />
          Hang up
        </Button>
      </div>
      {hasKeys ? <Keypad isDisabled={isPending} onPress={(key) => step({ press: key })} /> : null}
    </div>
  );
}
