import { changeTrunkRoute, createTrunkRoute } from "@parley/contract/routes/operator";
import type { TrunkRoute } from "@parley/contract/trunk-routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { send } from "../../../api/send.ts";
import { Refused } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { SelectField, TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { trunkKeys, trunksQuery } from "../trunks/trunk-queries.ts";

interface Values {
  prefix: string;
  trunkId: string;
  priority: string;
  weight: string;
}

interface RouteDialogProps {
  /** Null makes a new one. */
  readonly route: TrunkRoute | null;
  onClose(): void;
}

const NAMED = ["prefix", "trunkId", "priority", "weight"];

export function RouteDialog({ route, onClose }: RouteDialogProps) {
  const trunks = useInfiniteQuery(trunksQuery);
  const choices = trunks.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const { register, handleSubmit } = useForm<Values>({
    defaultValues: {
      prefix: route ? route.prefix : "",
      trunkId: route?.trunkId ?? "",
      priority: String(route?.priority ?? 0),
      weight: String(route?.weight ?? 1),
    },
  });
  const { run, isBusy, error, fields } = useEdit({
    run: ({ prefix, trunkId, priority, weight }: Values) => {
      const body = {
        prefix: prefix.replaceAll(/[\s+]/g, ""),
        trunkId: trunkId || (choices[0]?.id ?? ""),
        priority: Number(priority),
        weight: Number(weight),
      };
      return route ? send(changeTrunkRoute, { params: { id: route.id }, body }) : send(createTrunkRoute, { body });
    },
    changes: [trunkKeys.routes],
    said: ({ trunkName }) => (route ? "The route was saved." : `Calls go out on ${trunkName} from now on.`),
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={route ? "Change the route" : "Add a route"}
      lead="Which numbers go out on which trunk. The longest prefix that fits a number wins."
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <Refused error={error} named={NAMED} />
        <TextField
          label="Numbers that begin with"
          inputMode="tel"
          placeholder="All numbers"
          hint="Such as +49. Left empty, all numbers without a route of their own."
          error={fields["prefix"]}
          {...register("prefix")}
        />
        {/* The browser shows a choice that came too late as the first one. */}
        <SelectField key={choices.length} label="Trunk" error={fields["trunkId"]} {...register("trunkId")}>
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Order"
            inputMode="numeric"
            hint="Lower goes first; the next is for when that fails."
            error={fields["priority"]}
            {...register("priority")}
          />
          <TextField
            label="Share"
            inputMode="numeric"
            hint="Among routes of the same prefix and order."
            error={fields["weight"]}
            {...register("weight")}
          />
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy} disabled={choices.length === 0}>
            {route ? "Save" : "Add the route"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
