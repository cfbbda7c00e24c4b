import type { AnsweringMachine, CalleeStep } from "@parley/contract/callee-steps";
import type { Flow } from "@parley/contract/flow";
import { changeScenario, createScenario } from "@parley/contract/routes/scenarios";
import type { NewScenario, Scenario } from "@parley/contract/scenarios";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, Select, TextField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { readSampleValues } from "../sample-values.ts";
import { ExpectationList } from "./expectation-list.tsx";
import {
  kindOfStep,
  kindsAt,
  STEP_KINDS,
  type StepKind,
  startScenario,
  stepOfKind,
  whatIsMissing,
} from "./scenario-form.ts";
import { scenarioKeys } from "./scenario-queries.ts";
import { scenariosText } from "./text.tsx";
import { ToolReplyList } from "./tool-reply-list.tsx";

interface ScenarioDialogProps {
  readonly agentId: string;
  readonly flow: Flow;
  /** Null for a new one. */
  readonly scenario: Scenario | null;
  onClose(): void;
}

/** Edits a scenario: the steps of the callee and the expectations. */
export function ScenarioDialog({ agentId, flow, scenario, onClose }: ScenarioDialogProps) {
  const queries = useQueryClient();
  const [edited, setEdited] = useState(() => startScenario(scenario, readSampleValues(agentId)));
  const set = (changes: Partial<NewScenario>) => setEdited({ ...edited, ...changes });
  const missing = whatIsMissing(edited);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      scenario
        ? send(changeScenario, { params: { id: scenario.id }, body: edited })
        : send(createScenario, { params: { id: agentId }, body: edited }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: scenarioKeys.list(agentId) });
      onClose();
    },
  });
  return (
    <Dialog isOpen isWide onClose={onClose} title={scenario ? scenariosText.editScenario : scenariosText.newScenario}>
      <form
        className="space-y-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null) mutate();
        }}
      >
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        <TextField
          label={scenariosText.name}
          required
          maxLength={120}
          placeholder={scenariosText.nameExample}
          value={edited.name}
          onChange={({ target }) => set({ name: target.value })}
        />
        <StepList steps={edited.steps} onChange={(steps) => set({ steps: [...steps] })} />
        <ExpectationList flow={flow} expect={edited.expect} onChange={(expect) => set({ expect: [...expect] })} />
        <ToolReplyList flow={flow} replies={edited.toolReplies} onChange={(toolReplies) => set({ toolReplies })} />
        {flow.variables.length > 0 ? (
          <details>
            <summary className="text-sm font-medium">{scenariosText.callVariables}</summary>
            <div className="mt-3 grid gap-3 sm:grid-cols-2">
              {flow.variables.map((name) => (
                <TextField
                  key={name}
                  label={name}
                  value={edited.variables[name] ?? ""}
                  onChange={({ target }) => set({ variables: withValue(edited.variables, name, target.value) })}
                />
              ))}
            </div>
          </details>
        ) : null}
        <DialogActions>
          {missing ? (
            <p role="status" className="flex-1 self-center text-sm text-ink-soft">
              {missing}
            </p>
          ) : null}
          <Button onClick={onClose}>{scenariosText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isPending} disabled={missing !== null}>
            {scenariosText.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function withValue(variables: Readonly<Record<string, string>>, name: string, value: string): Record<string, string> {
  const { [name]: _, ...rest } = variables;
  return value === "" ? rest : { ...rest, [name]: value };
}

interface StepListProps {
  readonly steps: readonly CalleeStep[];
  onChange(steps: readonly CalleeStep[]): void;
}

const LABELS = new Map<StepKind, string>(STEP_KINDS.map(({ kind, label }) => [kind, label]));
const STEPS_MAX = 100;

/** The steps of the callee, in order. */
function StepList({ steps, onChange }: StepListProps) {
  const put = (index: number, step: CalleeStep) => onChange(steps.map((old, at) => (at === index ? step : old)));
  const hangsUp = steps.some((step) => "hangUp" in step);
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">{scenariosText.steps}</legend>
      <p className="text-sm text-ink-soft">{scenariosText.stepsLead}</p>
      {steps.map((step, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name of their own.
          key={index}
          className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-start gap-1.5"
        >
          <Select
            aria-label={scenariosText.step(index + 1)}
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
            aria-label={scenariosText.removeStep(index + 1)}
            onClick={() => onChange(steps.filter((_, at) => at !== index))}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      {steps.length < STEPS_MAX && !hangsUp ? (
        <Button size="small" onClick={() => onChange([...steps, { say: "" }])}>
          <Plus aria-hidden="true" />
          {scenariosText.addStep}
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
  const afterId = useId();
  if ("say" in step) {
    return (
      <div className="space-y-1.5">
        <input
          aria-label={scenariosText.stepWords(number)}
          value={step.say}
          maxLength={1000}
          placeholder={scenariosText.stepWordsExample}
          onChange={({ target }) => onChange({ ...step, say: target.value })}
          className={`${CONTROL} h-10`}
        />
        {"interruptAfterMs" in step ? (
          <label htmlFor={afterId} className="flex items-center gap-2 text-sm text-ink-soft">
            {scenariosText.interruptsAfter(
              <input
                id={afterId}
                type="number"
                min={0}
                max={60_000}
                step={100}
                value={step.interruptAfterMs}
                onChange={({ target }) =>
                  onChange({ ...step, interruptAfterMs: Math.max(0, Math.round(target.valueAsNumber) || 0) })
                }
                className={`${CONTROL} h-9 w-28`}
              />,
            )}
          </label>
        ) : null}
      </div>
    );
  }
  if ("press" in step) {
    return (
      <input
        aria-label={scenariosText.stepKeys(number)}
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
        aria-label={scenariosText.stepMachine(number)}
        value={step.machine}
        onChange={({ target }) => onChange({ machine: target.value as AnsweringMachine })}
      >
        <option value="voicemail">{scenariosText.voicemail}</option>
        <option value="ivr">{scenariosText.phoneMenu}</option>
        <option value="screening">{scenariosText.callScreening}</option>
        <option value="fax">{scenariosText.fax}</option>
      </Select>
    );
  }
  return <span aria-hidden="true" />;
}
