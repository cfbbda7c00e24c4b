import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { useForm } from "react-hook-form";
import { inWords, Refusal } from "../../api/refusal.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import {
  type EndpointForm,
  type EndpointWish,
  headerMistake,
  readEndpointForm,
  startEndpointForm,
} from "./endpoint-form.ts";
import { EventChoice } from "./event-choice.tsx";

interface EndpointFieldsProps {
  /** Null while it is being made. */
  readonly endpoint: WebhookEndpoint | null;
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(wish: EndpointWish): void;
  onClose(): void;
}

/** Everything about an endpoint that a person decides. */
export function EndpointFields({ endpoint, error, isPending, onSubmit, onClose }: EndpointFieldsProps) {
  const { register, handleSubmit, watch } = useForm<EndpointForm>({ defaultValues: startEndpointForm(endpoint) });
  const fields = error instanceof Refusal ? error.fields : {};
  const fieldError = (name: string) => Object.entries(fields).find(([field]) => field.split(".")[0] === name)?.[1];
  const names = endpoint?.headerNames ?? [];
  const mistake = headerMistake(watch("headers")) ?? undefined;
  const isChosen = watch("wants") === "all" || watch("eventTypes").length > 0;
  return (
    <form className="space-y-4" onSubmit={handleSubmit((form) => onSubmit(readEndpointForm(form)))}>
      {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      <TextField
        label="URL"
        required
        maxLength={2048}
        inputMode="url"
        placeholder="https://app.example/parley-events"
        hint="Events are sent there by POST. Answer 2xx within 15 seconds."
        error={fieldError("url")}
        {...register("url")}
      />
      <TextField
        label="Description (optional)"
        maxLength={500}
        placeholder="Order system"
        error={fieldError("description")}
        {...register("description")}
      />
      <EventChoice
        wants={watch("wants")}
        error={fieldError("eventTypes") ?? (isChosen ? undefined : "Choose at least one.")}
        register={register}
      />
      <details className="rounded-xl border border-line px-4 py-3">
        <summary className="text-sm font-medium">Headers to send along</summary>
        <div className="mt-4 space-y-2">
          <TextAreaField
            label={names.length > 0 ? "New headers in place of those that are sent" : "Headers"}
            rows={3}
            spellCheck={false}
            placeholder="Authorization: Bearer ..."
            hint={
              names.length > 0
                ? `Sent now: ${names.join(", ")}. Their values are never shown; leave this empty to keep them.`
                : "A line each, for whoever guards the endpoint. Values are kept encrypted and never shown again."
            }
            error={mistake ?? fieldError("headers")}
            className="font-mono text-[0.8125rem]"
            {...register("headers")}
          />
          {names.length > 0 ? <Checkbox label="Send no headers any more" {...register("dropsHeaders")} /> : null}
        </div>
      </details>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={isPending} disabled={!isChosen || mistake !== undefined}>
          {endpoint ? "Save" : "Add endpoint"}
        </Button>
      </DialogActions>
    </form>
  );
}
