import type { Call } from "@parley/contract/calls";
import { createCall } from "@parley/contract/routes/calls";
import { PhoneNumber } from "@parley/contract/shared-fields";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { useIdempotencyKeys } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { useMode } from "../../../app/mode.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Checkbox, SelectField, TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { agentsQuery, enginesQuery } from "../../agents/agent-list-query.ts";
import { EngineOptions } from "../../engines/engine-options.tsx";
import { languageMismatch, languageName, usedEngine } from "../../engines/engine-words.ts";
import { SIMULATED_CALLEES } from "../call-labels.ts";
import { callsText } from "../text.ts";
import { NumberCheck } from "./call-check.tsx";
import { type CallVariable, callVariablesQuery, plainNumber } from "./new-call-queries.ts";
import { readPairs } from "./read-pairs.ts";

interface Values {
  phoneNumber: string;
  agentId: string;
  engine: string;
  variables: Record<string, string>;
  scheduledAt: string;
  from: string;
  metadata: string;
  mayMiss: boolean;
}

/** What a new call takes over from an earlier one. */
export type CallLike = Pick<Call, "phoneNumber" | "agentId" | "engine" | "variables" | "metadata" | "from">;

interface NewCallDialogProps {
  /** The call to repeat. */
  readonly like?: CallLike;
  onClose(): void;
}

/** Places a call and opens it. */
export function NewCallDialog({ like, onClose }: NewCallDialogProps) {
  const { mode } = useMode();
  const navigate = useNavigate();
  const { data: agents = [], isPending: isListing } = useQuery(agentsQuery);
  const { data: engines = [] } = useQuery(enginesQuery);
  const ready = agents.filter(({ publishedVersion }) => publishedVersion !== null);
  const form = useForm<Values>({ defaultValues: startingValues(mode, like) });
  const { register, handleSubmit, setValue, control, getValues, formState } = form;
  const [agentId, engineName, phoneNumber, scheduledAt] = useWatch({
    control,
    name: ["agentId", "engine", "phoneNumber", "scheduledAt"],
  });
  const agent = ready.find(({ id }) => id === agentId) ?? ready[0];
  const engine = usedEngine(engineName || (agent?.engine ?? null), engines);
  const mismatch = agent ? languageMismatch(engine, engines, agent.language) : null;
  const { data: variables = [], isPending: isReading } = useQuery(callVariablesQuery(agent));
  // Nobody is really called in test mode, so that examples may stand in for the values.
  useEffect(() => {
    if (mode !== "test") return;
    for (const { name, example, isRequired } of variables) {
      const value = example ?? (isRequired ? name.replaceAll("_", " ") : null);
      if (value !== null && !getValues(`variables.${name}`)) setValue(`variables.${name}`, value);
    }
  }, [mode, variables, getValues, setValue]);
  const keyOf = useIdempotencyKeys();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (values: Values) => {
      const body = bodyOf({ ...values, agentId: agent?.id ?? "" }, variables);
      return send(createCall, { mode, idempotencyKey: keyOf(body), body });
    },
    onSuccess: (call) => void navigate({ to: "/calls/$callId", params: { callId: call.id } }),
  });
  const place = handleSubmit((values) => mutate(values));
  const isLoading = isListing || (isReading && agent !== undefined);
  const [isRequested, setRequested] = useState(false);
  // Someone was faster than the agent and its variables: the call is placed once they are there.
  useEffect(() => {
    if (!isRequested || isLoading) return;
    setRequested(false);
    void place();
  });
  const refused = error instanceof ApiError ? error.fields : {};
  const problem = (name: "phoneNumber" | "from" | "metadata" | "scheduledAt") =>
    formState.errors[name]?.message ?? refused[name];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={like ? callsText.callAgain : callsText.newCall}
      lead={mode === "test" ? callsText.newTestCallLead : callsText.newLiveCallLead}
    >
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isLoading) setRequested(true);
          else void place();
        }}
      >
        {error && Object.keys(refused).length === 0 ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {mode === "test" && !like ? (
          <SelectField
            label={callsText.whoAnswers}
            onChange={(event) => setValue("phoneNumber", event.target.value)}
            hint={callsText.whoAnswersHint}
          >
            {SIMULATED_CALLEES.map((callee) => (
              <option key={callee.phoneNumber} value={callee.phoneNumber}>
                {callee.who}
              </option>
            ))}
          </SelectField>
        ) : null}
        <TextField
          label={callsText.phoneNumber}
          type="tel"
          placeholder="+15550100001"
          error={problem("phoneNumber")}
          {...register("phoneNumber", {
            validate: (text) => PhoneNumber.safeParse(plainNumber(text)).success || callsText.numberProblem,
          })}
        />
        <NumberCheck mode={mode} phoneNumber={phoneNumber} engine={engine?.name} />
        <SelectField
          label={callsText.agent}
          error={refused["agentId"]}
          hint={agent ? callsText.speaks(languageName(agent.language)) : undefined}
          {...register("agentId")}
          value={agent?.id ?? ""}
        >
          {ready.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        {mismatch === null ? null : <Notice tone="warning">{mismatch}</Notice>}
        <VariableFields
          variables={variables}
          refused={refused["variables"]}
          problemOf={(name) => formState.errors.variables?.[name]?.message}
          register={(variable) =>
            register(`variables.${variable.name}`, {
              validate: (text) =>
                !variable.isRequired || getValues("mayMiss") || Boolean(text?.trim()) || callsText.variableRequired,
            })
          }
        />
        {formState.errors.variables ? (
          <Checkbox
            label={callsText.mayMissValues}
            hint={callsText.mayMissValuesHint}
            {...register("mayMiss", { onChange: () => void form.trigger("variables") })}
          />
        ) : null}
        <details className="rounded-lg border border-line" open={Boolean(like?.from || scheduledAt)}>
          <summary className="rounded-lg px-3 py-2.5 text-sm font-medium">{callsText.moreOptions}</summary>
          <div className="space-y-4 px-3 pt-1 pb-4">
            <TextField
              label={callsText.callAtOptional}
              type="datetime-local"
              hint={callsText.callAtHint}
              error={problem("scheduledAt")}
              {...register("scheduledAt", {
                validate: (text) => text === "" || Date.parse(text) > Date.now() || callsText.timeInPast,
              })}
            />
            <TextField
              label={callsText.callerIdOptional}
              type="tel"
              hint={callsText.callerIdHint}
              error={problem("from")}
              {...register("from", {
                validate: (text) =>
                  text === "" || PhoneNumber.safeParse(plainNumber(text)).success || callsText.callerIdProblem,
              })}
            />
            <SelectField label={callsText.engine} error={refused["engine"]} {...register("engine")}>
              <option value="">
                {agent ? engineOfAgent(usedEngine(agent.engine, engines)?.name) : callsText.engineOfAgent}
              </option>
              <EngineOptions engines={engines} />
            </SelectField>
            <TextAreaField
              label={callsText.metadataOptional}
              hint={callsText.metadataHint}
              error={problem("metadata")}
              rows={2}
              className="font-mono text-[0.8125rem]"
              {...register("metadata", {
                validate: (text) => {
                  const read = readPairs(text);
                  return read.ok || read.problem;
                },
              })}
            />
          </div>
        </details>
        <DialogActions>
          <Button onClick={onClose}>{callsText.cancel}</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={isPending || isRequested}
            disabled={!isLoading && ready.length === 0}
          >
            {scheduledAt ? callsText.scheduleCall : callsText.callNow}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface VariableFieldsProps {
  readonly variables: readonly CallVariable[];
  readonly refused: string | undefined;
  problemOf(name: string): string | undefined;
  register(variable: CallVariable): object;
}

function VariableFields({ variables, refused, problemOf, register }: VariableFieldsProps) {
  if (variables.length === 0) return null;
  return (
    <fieldset className="space-y-3">
      <legend className="mb-2 text-sm font-semibold">{callsText.variables}</legend>
      {refused ? <Notice tone="danger">{refused}</Notice> : null}
      {variables.map((variable) => (
        <TextField
          key={variable.name}
          label={labelOf(variable)}
          placeholder={variable.example ? callsText.example(variable.example) : undefined}
          maxLength={2000}
          error={problemOf(variable.name)}
          {...register(variable)}
        />
      ))}
    </fieldset>
  );
}

function labelOf({ name, isRequired }: CallVariable): string {
  const words = name.replaceAll("_", " ");
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return isRequired ? label : callsText.optional(label);
}

function engineOfAgent(name: string | undefined): string {
  return name === undefined ? callsText.engineOfAgentDefault : callsText.engineOfAgentNamed(name);
}

function startingValues(mode: "test" | "live", like: CallLike | undefined): Values {
  return {
    phoneNumber: like?.phoneNumber ?? (mode === "test" ? "+15550100001" : ""),
    agentId: like?.agentId ?? "",
    engine: like?.engine ?? "",
    variables: { ...like?.variables },
    scheduledAt: "",
    from: like?.from ?? "",
    metadata: Object.entries(like?.metadata ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join("\n"),
    mayMiss: false,
  };
}

/** The request. The form has validated its fields. */
function bodyOf(values: Values, variables: readonly CallVariable[]) {
  const metadata = readPairs(values.metadata);
  const given = variables
    .map(({ name }): [string, string] => [name, values.variables[name]?.trim() ?? ""])
    .filter(([, value]) => value !== "");
  return {
    phoneNumber: plainNumber(values.phoneNumber),
    agentId: values.agentId,
    ...(values.engine ? { engine: values.engine } : {}),
    ...(given.length > 0 ? { variables: Object.fromEntries(given) } : {}),
    ...(metadata.ok && Object.keys(metadata.pairs).length > 0 ? { metadata: metadata.pairs } : {}),
    ...(values.from ? { from: plainNumber(values.from) } : {}),
    ...(values.scheduledAt ? { scheduledAt: new Date(values.scheduledAt).toISOString() } : {}),
  };
}
