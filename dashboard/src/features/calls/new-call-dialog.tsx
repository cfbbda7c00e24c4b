import { createCall } from "@parley/contract/routes/calls";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useForm, useWatch } from "react-hook-form";
import { ApiError, errorText } from "../../api/api-error.ts";
import { useIdempotencyKeys } from "../../api/idempotency-keys.ts";
import { send } from "../../api/send.ts";
import { useMode } from "../../app/mode.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { CONTROL, Field, SelectField, TextField } from "../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../ui/layout/dialog.tsx";
import { agentsQuery, enginesQuery } from "../agents/agent-list-query.ts";
import { EngineOptions } from "../engines/engine-options.tsx";
import { languageMismatch, usedEngine } from "../engines/engine-words.ts";
import { SIMULATED_CALLEES } from "./call-labels.ts";

interface Values {
  phoneNumber: string;
  agentId: string;
  engine: string;
  variables: string;
}

/** Places a call and opens it. */
export function NewCallDialog({ onClose }: { onClose(): void }) {
  const { mode } = useMode();
  const navigate = useNavigate();
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: engines = [] } = useQuery(enginesQuery);
  const ready = agents.filter(({ publishedVersion }) => publishedVersion !== null);
  const { register, handleSubmit, setValue, control } = useForm<Values>({
    defaultValues: { phoneNumber: mode === "test" ? "+15550100001" : "", engine: "", variables: "" },
  });
  const [agentId, engineName] = useWatch({ control, name: ["agentId", "engine"] });
  const agent = ready.find(({ id }) => id === agentId) ?? ready[0];
  const engine = usedEngine(engineName || (agent?.engine ?? null), engines);
  const mismatch = agent ? languageMismatch(engine, engines, agent.language) : null;
  const keyOf = useIdempotencyKeys();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ phoneNumber, agentId, engine, variables }: Values) => {
      const body = {
        phoneNumber: phoneNumber.replaceAll(/[\s().-]/g, ""),
        agentId: agentId || (ready[0]?.id ?? ""),
        ...(engine ? { engine } : {}),
        ...readVariables(variables),
      };
      return send(createCall, { mode, idempotencyKey: keyOf(body), body });
    },
    onSuccess: (call) => void navigate({ to: "/calls/$callId", params: { callId: call.id } }),
  });
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New call"
      lead={mode === "test" ? "To the simulated network; it costs nothing." : "This call is charged from your credit."}
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => mutate(values))}>
        {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {mode === "test" ? (
          <SelectField
            label="Who answers"
            onChange={(event) => setValue("phoneNumber", event.target.value)}
            hint="The last digits of the number decide it."
          >
            {SIMULATED_CALLEES.map(({ phoneNumber, who }) => (
              <option key={phoneNumber} value={phoneNumber}>
                {who}
              </option>
            ))}
          </SelectField>
        ) : null}
        <TextField
          label="Phone number"
          type="tel"
          required
          placeholder="+15550100001"
          error={fields["phoneNumber"]}
          {...register("phoneNumber")}
        />
        <SelectField label="Agent" error={fields["agentId"]} {...register("agentId")}>
          {ready.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label="Engine" error={fields["engine"]} {...register("engine")}>
          <option value="">{`The agent's engine${agent ? ` (${usedEngine(agent.engine, engines)?.name ?? "default"})` : ""}`}</option>
          <EngineOptions engines={engines} />
        </SelectField>
        {mismatch === null ? null : <Notice tone="warning">{mismatch}</Notice>}
        <Field label="Variables (optional)" hint="One on each line, such as first_name=Ada" error={fields["variables"]}>
          {(control) => (
            <textarea
              {...control}
              {...register("variables")}
              rows={2}
              className={`${CONTROL} py-2 font-mono text-[0.8125rem]`}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isPending} disabled={ready.length === 0}>
            Call now
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Parses lines of `name=value`. Only the first equals sign separates, so that a value may contain more. */
function readVariables(text: string): { variables?: Record<string, string> } {
  const pairs = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.includes("="))
    .map((line): [string, string] => {
      const at = line.indexOf("=");
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    })
    .filter(([name]) => name !== "");
  return pairs.length > 0 ? { variables: Object.fromEntries(pairs) } : {};
}
