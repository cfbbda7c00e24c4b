import type { AnsweringMachine, CalleeStep } from "@parley/contract/callee-steps";
import { Plus, X } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { CONTROL, Select } from "../../../ui/field.tsx";
import { kindOfStep, kindsAt, STEP_KINDS, type StepKind, stepOfKind } from "./scenario-form.ts";

interface StepListProps {
  readonly steps: readonly CalleeStep[];
  onChange(steps: readonly CalleeStep[]): void;
}

const LABELS = new Map<StepKind, string>(STEP_KINDS.map(({ kind, label }) => [kind, label]));
const STEPS_MAX = 100;

/** What the callee does at its turns, in order. */
export function StepList({ steps, onChange }: StepListProps) {
  const put = (index: number, step: CalleeStep) => onChange(steps.map((old, at) => (at === index ? step : old)));
  const hangsUp = steps.some((step) => "hangUp" in step);
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">What the callee does</legend>
      <p className="text-sm text-ink-soft">The agent opens the call; the callee answers step by step.</p>
      {steps.map((step, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name of their own.
          key={index}
          className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-1.5"
        >
          <Select
            aria-label={`Step ${index + 1}`}
            value={kindOfStep(step)}
            onChange={({ target }) => put(index, stepOfKind(target.value as StepKind, step))}
          >
            {kindsAt(index, steps.length).map((kind) => (
              <option key={kind} value={kind}>
                {LABELS.get(kind)}
              </option>
            ))}
          </Select>
          <StepDetail step={step} number={index + 1} onChange={(next) => put(index, next)} />
          <Button
            look="quiet"
            size="icon"
            aria-label={`Remove step ${index + 1}`}
            onClick={() => onChange(steps.filter((_, at) => at !== index))}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      {steps.length < STEPS_MAX && !hangsUp ? (
        <Button size="small" onClick={() => onChange([...steps, { say: "" }])}>
          <Plus aria-hidden="true" />
          Add a step
        </Button>
      ) : null}
    </fieldset>
  );
}

interface StepDetailProps {
  readonly step: CalleeStep;
  readonly number: number;
  onChange(step: CalleeStep): void;
}

function StepDetail({ step, number, onChange }: StepDetailProps) {
  if ("say" in step) {
    return (
      <div className="space-y-1.5">
        <input
          aria-label={`Words of step ${number}`}
          value={step.say}
          maxLength={1000}
          placeholder="Yes, I will be there"
          onChange={({ target }) => onChange({ ...step, say: target.value })}
          className={`${CONTROL} h-10`}
        />
        {"interruptAfterMs" in step ? (
          <label className="flex items-center gap-2 text-sm text-ink-soft">
            after
            <input
              type="number"
              min={0}
              max={60_000}
              step={100}
              value={step.interruptAfterMs}
              onChange={({ target }) =>
                onChange({ ...step, interruptAfterMs: Math.max(0, Math.round(target.valueAsNumber) || 0) })
              }
              className={`${CONTROL} h-9 w-28`}
            />
            ms of the agent's words
          </label>
        ) : null}
      </div>
    );
  }
  if ("press" in step) {
    return (
      <input
        aria-label={`Keys of step ${number}`}
        value={step.press}
        maxLength={32}
        inputMode="tel"
        onChange={({ target }) => onChange({ press: target.value.replaceAll(/[^0-9*#]/g, "") })}
        className={`${CONTROL} h-10 font-mono`}
      />
    );
  }
  if ("machine" in step) {
    return (
      <Select
        aria-label={`Machine of step ${number}`}
        value={step.machine}
        onChange={({ target }) => onChange({ machine: target.value as AnsweringMachine })}
      >
        <option value="voicemail">A voicemail</option>
        <option value="ivr">A phone menu</option>
        <option value="screening">Call screening</option>
        <option value="fax">A fax machine</option>
      </Select>
    );
  }
  return <span aria-hidden="true" />;
}
