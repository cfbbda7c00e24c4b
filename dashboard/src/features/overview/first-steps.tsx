import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, CircleStop, KeyRound, PhoneOutgoing, Volume2, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { inWords } from "../../api/api-error.ts";
import { meQuery } from "../../api/sign-in-state.ts";
import { Button, buttonClass } from "../../ui/forms/button.tsx";
import { keysQuery } from "../settings/api-keys/key-queries.ts";
import { hasTestCallQuery } from "./usage-queries.ts";
import { useSampleVoice } from "./use-sample-voice.ts";

interface FirstStepsProps {
  readonly steps: Steps;
  onPlace(): void;
  onDismiss(): void;
}

/** What a new account does first. Each step is ticked off when it is done, wherever it was done. */
export function FirstSteps({ steps, onPlace, onDismiss }: FirstStepsProps) {
  const voice = useSampleVoice(steps.markHeard);
  const doneCount = [steps.hasHeard, steps.hasKey, steps.hasCalled].filter(Boolean).length;
  return (
    <section aria-labelledby="first-steps" className="rounded-2xl border border-line bg-surface">
      <div className="flex items-start justify-between gap-4 px-5 pt-5 sm:px-6 sm:pt-6">
        <div>
          <h2 id="first-steps" className="text-lg font-semibold">
            Three steps to your first call
          </h2>
          <p role="status" className="text-sm text-ink-soft">
            {doneCount} of 3 done. None of them costs anything.
          </p>
        </div>
        <Button look="quiet" size="smallIcon" aria-label="Dismiss the first steps" onClick={onDismiss}>
          <X aria-hidden="true" />
        </Button>
      </div>
      <ol className="divide-y divide-line px-5 pb-2 sm:px-6">
        <Step
          number={1}
          isDone={steps.hasHeard}
          title="Listen to a sample agent"
          text={voice.error ? inWords(voice.error) : "How it opens a call, in the voice callees hear."}
          action={
            voice.isPlaying ? (
              <Button onClick={voice.stop}>
                <CircleStop aria-hidden="true" />
                Stop
              </Button>
            ) : (
              <Button look={steps.hasHeard ? "secondary" : "primary"} onClick={voice.start} isBusy={voice.isFetching}>
                <Volume2 aria-hidden="true" />
                {voice.isFetching ? "Speaking up…" : "Listen"}
              </Button>
            )
          }
        />
        <Step
          number={2}
          isDone={steps.hasKey}
          title="Make an API key"
          text="Your programs place calls with it. A test key stays on the simulated network."
          action={
            <Link to="/settings/developer" className={buttonClass({ look: nextLook(steps.hasHeard, steps.hasKey) })}>
              <KeyRound aria-hidden="true" />
              Make a key
            </Link>
          }
        />
        <Step
          number={3}
          isDone={steps.hasCalled}
          title="Place a test call and watch it live"
          text="A simulated person answers. Read along, listen in, then play the recording."
          action={
            <Button look={nextLook(steps.hasHeard && steps.hasKey, steps.hasCalled)} onClick={onPlace}>
              <PhoneOutgoing aria-hidden="true" />
              Place a call
            </Button>
          }
        />
      </ol>
    </section>
  );
}

/** The step that comes next stands out; the others can be taken all the same. */
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
          {isDone ? <span className="sr-only"> (done)</span> : null}
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
  /** Whether they are worth showing: not all are done, and nobody has put them away. Null while that is not known. */
  readonly isOpen: boolean | null;
  markHeard(): void;
  putAway(isAway: boolean): void;
}

/** How far a new account has come. */
export function useSteps(): Steps {
  const { data: me } = useQuery(meQuery);
  const keys = useInfiniteQuery(keysQuery);
  const call = useQuery(hasTestCallQuery);
  const [hasHeard, keepHeard] = useKeptFlag("heard", me?.account.id);
  const [isAway, putAway] = useKeptFlag("steps-away", me?.account.id);
  const hasKey = keys.data?.pages.some(({ rows }) => rows.length > 0) ?? false;
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

/** Something that was done or put away, as this browser remembers it for one account. */
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
