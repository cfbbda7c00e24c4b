import type { WebhookEndpoint } from "@parley/contract/webhook-endpoints";
import { WEBHOOK_TYPES, type WebhookType } from "@parley/contract/webhooks";
import { type UseFormRegister, useForm } from "react-hook-form";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Checkbox, TextAreaField, TextField } from "../../../ui/forms/field.tsx";
import { DialogActions } from "../../../ui/layout/dialog.tsx";
import { webhooksText } from "./text.tsx";

interface EndpointFieldsProps {
  /** Null while it is being created. */
  readonly endpoint: WebhookEndpoint | null;
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(change: EndpointInput): void;
  onClose(): void;
}

/** All editable settings of an endpoint. */
export function EndpointFields({ endpoint, error, isPending, onSubmit, onClose }: EndpointFieldsProps) {
  const { register, handleSubmit, watch } = useForm<EndpointForm>({ defaultValues: startEndpointForm(endpoint) });
  const fields = error instanceof ApiError ? error.fields : {};
  const fieldError = (name: string) => Object.entries(fields).find(([field]) => field.split(".")[0] === name)?.[1];
  const names = endpoint?.headerNames ?? [];
  const mistake = headerMistake(watch("headers")) ?? undefined;
  const isChosen = watch("wants") === "all" || watch("eventTypes").length > 0;
  return (
    <form className="space-y-4" onSubmit={handleSubmit((form) => onSubmit(readEndpointForm(form)))}>
      {error && Object.keys(fields).length === 0 ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      <TextField
        label="URL"
        required
        maxLength={2048}
        inputMode="url"
        placeholder="https://app.example/parley-events"
        hint={webhooksText.urlHint}
        error={fieldError("url")}
        {...register("url")}
      />
      <TextField
        label={webhooksText.descriptionOptional}
        maxLength={500}
        placeholder={webhooksText.descriptionExample}
        error={fieldError("description")}
        {...register("description")}
      />
      <EventChoice
        wants={watch("wants")}
        error={fieldError("eventTypes") ?? (isChosen ? undefined : webhooksText.chooseAtLeastOne)}
        register={register}
      />
      <details className="rounded-xl border border-line px-4 py-3">
        <summary className="text-sm font-medium">{webhooksText.additionalHeadersOptional}</summary>
        <div className="mt-4 space-y-2">
          <TextAreaField
            label={names.length > 0 ? webhooksText.newHeaders : webhooksText.headers}
            rows={3}
            spellCheck={false}
            placeholder={webhooksText.headersExample}
            hint={names.length > 0 ? webhooksText.headersSent(names.join(", ")) : webhooksText.headersHint}
            error={mistake ?? fieldError("headers")}
            className="font-mono text-[0.8125rem]"
            {...register("headers")}
          />
          {names.length > 0 ? <Checkbox label={webhooksText.removeAllHeaders} {...register("dropsHeaders")} /> : null}
        </div>
      </details>
      <DialogActions>
        <Button onClick={onClose}>{webhooksText.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isPending} disabled={!isChosen || mistake !== undefined}>
          {endpoint ? webhooksText.save : webhooksText.addEndpoint}
        </Button>
      </DialogActions>
    </form>
  );
}

interface EventChoiceProps {
  readonly wants: EndpointForm["wants"];
  readonly error: string | undefined;
  readonly register: UseFormRegister<EndpointForm>;
}

/** Which events are sent there: all, including those of later releases, or some. */
function EventChoice({ wants, error, register }: EventChoiceProps) {
  return (
    <fieldset className="rounded-xl border border-line px-4 pt-1 pb-3">
      <legend className="px-1 text-sm font-medium">{webhooksText.events}</legend>
      <Checkbox
        type="radio"
        value="all"
        label={webhooksText.allEvents}
        hint={webhooksText.allEventsHint}
        {...register("wants")}
      />
      <Checkbox type="radio" value="some" label={webhooksText.selectedEvents} {...register("wants")} />
      {wants === "some" ? (
        <div className="mt-1 grid gap-x-4 border-t border-line pt-2 sm:grid-cols-2">
          {WEBHOOK_TYPES.map((type) => (
            <Checkbox
              key={type}
              value={type}
              label={webhooksText.eventMeanings[type]}
              hint={<span className="font-mono">{type}</span>}
              {...register("eventTypes")}
            />
          ))}
        </div>
      ) : null}
      {error ? <p className="pt-1 text-sm text-danger-text">{error}</p> : null}
    </fieldset>
  );
}

/** The form values. */
interface EndpointForm {
  url: string;
  description: string;
  wants: "all" | "some";
  eventTypes: WebhookType[];
  /** One per line, `Name: value`. */
  headers: string;
  /** For an endpoint with headers: whether to remove them. */
  dropsHeaders: boolean;
}

export function startEndpointForm(endpoint: WebhookEndpoint | null): EndpointForm {
  return {
    url: endpoint?.url ?? "",
    description: endpoint?.description ?? "",
    wants: endpoint?.eventTypes ? "some" : "all",
    eventTypes: endpoint?.eventTypes ?? ["call.completed", "call.failed"],
    headers: "",
    dropsHeaders: false,
  };
}

export interface EndpointInput {
  url: string;
  description: string;
  eventTypes: WebhookType[] | null;
  headers?: Record<string, string>;
}

/** The request body. Headers that were not edited stay as they are: their values are never shown. */
export function readEndpointForm(form: EndpointForm): EndpointInput {
  const headers = form.dropsHeaders ? {} : readHeaders(form.headers);
  return {
    url: form.url.trim(),
    description: form.description.trim(),
    eventTypes: form.wants === "all" ? null : form.eventTypes,
    ...(form.dropsHeaders || Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

export function readHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** An error for the first line that is not a header; null when all are. */
export function headerMistake(text: string): string | null {
  const line = linesOf(text).find((each) => each.indexOf(":") < 1);
  return line === undefined ? null : webhooksText.headerMistake(line);
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
