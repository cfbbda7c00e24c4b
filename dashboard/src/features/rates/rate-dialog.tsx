import type { RouteRate } from "@parley/contract/credits";
import { setRouteRate } from "@parley/contract/routes/operator";
import { useForm } from "react-hook-form";
import { send } from "../../api/send.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Refused } from "../../ui/refused.tsx";
import { useEdit } from "../../ui/use-edit.ts";
import { rateKeys } from "./rate-queries.ts";

interface RateDialogProps {
  /** Null sets one for a prefix that has none. */
  readonly rate: RouteRate | null;
  onClose(): void;
}

const NAMED = ["prefix", "perMinute", "description"];

export function RateDialog({ rate, onClose }: RateDialogProps) {
  const { register, handleSubmit } = useForm<RouteRate>({
    defaultValues: rate ?? { prefix: "", perMinute: "", description: "" },
  });
  const { run, isBusy, error, fields } = useEdit({
    run: ({ prefix, perMinute, description }: RouteRate) =>
      send(setRouteRate, {
        body: {
          prefix: `+${prefix.replaceAll(/[\s+().-]/g, "")}`,
          perMinute: perMinute.trim().replace(/^\$/, ""),
          description: description.trim(),
        },
      }),
    changes: [rateKeys.routes],
    said: ({ prefix, perMinute }) => `A minute to ${prefix} costs $${perMinute} from now on.`,
    ...(rate ? { undo: () => send(setRouteRate, { body: rate }) } : {}),
    subject: ({ prefix }) => `rate of ${prefix}`,
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={rate ? `The rate of ${rate.prefix}` : "Add a rate"}
      lead="Calls that were accepted already keep their price."
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <Refused error={error} named={NAMED} />
        <TextField
          label="Numbers that begin with"
          inputMode="tel"
          required
          placeholder="+4930"
          readOnly={rate !== null}
          error={fields["prefix"]}
          {...register("prefix")}
        />
        <TextField
          label="USD a minute"
          inputMode="decimal"
          required
          placeholder="0.012"
          error={fields["perMinute"]}
          {...register("perMinute")}
        />
        <TextField
          label="Description (optional)"
          maxLength={200}
          error={fields["description"]}
          {...register("description")}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Set the rate
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
