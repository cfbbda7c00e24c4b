import { WEBHOOK_TYPES } from "@parley/contract/webhooks";
import type { UseFormRegister } from "react-hook-form";
import { Checkbox } from "../../ui/checkbox.tsx";
import type { EndpointForm } from "./endpoint-form.ts";
import { EVENT_MEANINGS } from "./webhook-words.ts";

interface EventChoiceProps {
  readonly wants: EndpointForm["wants"];
  readonly error: string | undefined;
  readonly register: UseFormRegister<EndpointForm>;
}

/** Which events are sent there: all, also those that come with later releases, or some. */
export function EventChoice({ wants, error, register }: EventChoiceProps) {
  return (
    <fieldset className="rounded-xl border border-line px-4 pt-1 pb-3">
      <legend className="px-1 text-sm font-medium">Events</legend>
      <Checkbox
        type="radio"
        value="all"
        label="All of them"
        hint="Also kinds that later releases add"
        {...register("wants")}
      />
      <Checkbox type="radio" value="some" label="Only some" {...register("wants")} />
      {wants === "some" ? (
        <div className="mt-1 grid gap-x-4 border-t border-line pt-2 sm:grid-cols-2">
          {WEBHOOK_TYPES.map((type) => (
            <Checkbox
              key={type}
              value={type}
              label={EVENT_MEANINGS[type]}
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
