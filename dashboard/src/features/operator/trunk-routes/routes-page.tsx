import {
  changeTrunkRoute,
  createTrunkRoute,
  deleteTrunkRoute,
  listTrunkRoutes,
} from "@parley/contract/routes/operator";
import type { TrunkRoute } from "@parley/contract/trunk-routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pencil, Plus, Split, Trash2 } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { pagesOf, send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { FormError } from "../../../ui/feedback/notice.tsx";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { SelectField, TextField } from "../../../ui/forms/field.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { trunkKeys, trunksQuery } from "../trunks/trunk-queries.ts";
import { trunkRoutesText } from "./text.ts";

/** Operator > Routes: which numbers use which trunk, in the order in which a call tries them. */
export function RoutesPage() {
  const routes = useInfiniteQuery(routesQuery);
  const trunks = useInfiniteQuery(trunksQuery);
  const [edited, setEdited] = useState<TrunkRoute | "new" | null>(null);
  const remove = useEdit({
    run: ({ id }: TrunkRoute) => send(deleteTrunkRoute, { params: { id } }),
    changes: [trunkKeys.routes],
    message: (_, { prefix, trunkName }) => trunkRoutesText.routeRemoved(formatPrefix(prefix), trunkName),
    undo: (_, { prefix, trunkId, priority, weight }) =>
      send(createTrunkRoute, { body: { prefix, trunkId, priority, weight } }),
  });
  const hasTrunk = (trunks.data?.pages[0]?.rows.length ?? 0) > 0;
  const hasRoute = (routes.data?.pages[0]?.rows.length ?? 0) > 0;
  const add = (
    <Button look="primary" onClick={() => setEdited("new")}>
      <Plus aria-hidden="true" />
      {trunkRoutesText.addRoute}
    </Button>
  );
  return (
    <Page title={trunkRoutesText.routes} lead={trunkRoutesText.lead} actions={hasRoute ? add : null}>
      <div className="space-y-4">
        <FormError error={remove.error} />
        <Card title={trunkRoutesText.listTitle} isFlush>
          <PagedList
            list={routes}
            label={trunkRoutesText.loadingRoutes}
            empty={
              <EmptyState
                icon={<Split />}
                title={trunkRoutesText.noRouteYet}
                text={hasTrunk ? trunkRoutesText.emptyList : trunkRoutesText.emptyWithoutTrunk}
                action={
                  hasTrunk ? (
                    add
                  ) : (
                    <Link to="/operator/trunks/new" className={buttonClass({ look: "primary" })}>
                      {trunkRoutesText.addTrunkFirst}
                    </Link>
                  )
                }
              />
            }
          >
            {(rows) => (
              <ul className="mt-2 divide-y divide-line border-t border-line">
                {groupRoutes(rows).map((group) => (
                  <Group key={group.prefix} group={group} onEdit={setEdited} onRemove={remove.run} />
                ))}
              </ul>
            )}
          </PagedList>
        </Card>
      </div>
      {edited ? <RouteDialog route={edited === "new" ? null : edited} onClose={() => setEdited(null)} /> : null}
    </Page>
  );
}

interface GroupProps {
  readonly group: PrefixRoutes;
  onEdit(route: TrunkRoute): void;
  onRemove(route: TrunkRoute): void;
}

function Group({ group, onEdit, onRemove }: GroupProps) {
  const name = formatPrefix(group.prefix);
  return (
    <li className="flex flex-col gap-x-6 gap-y-1 px-4 py-3 sm:flex-row sm:px-5">
      <p className="pt-1.5 font-medium tabular-nums sm:w-48 sm:shrink-0">{name}</p>
      <ul className="min-w-0 flex-1 divide-y divide-line">
        {group.routes.map((route) => (
          <li key={route.id} className="flex items-center gap-3 py-1.5">
            <div className="min-w-0 flex-1">
              <Link
                to="/operator/trunks/$trunkId"
                params={{ trunkId: route.trunkId }}
                className="break-words underline-offset-4 hover:underline"
              >
                {route.trunkName}
              </Link>
              <p className="text-sm text-ink-soft">{describePlace(route, group)}</p>
            </div>
            {route.managedBy === "configuration" ? (
              <Badge>{trunkRoutesText.fromAFile}</Badge>
            ) : (
              <>
                <Button
                  look="quiet"
                  size="icon"
                  aria-label={trunkRoutesText.changeRoute(name, route.trunkName)}
                  onClick={() => onEdit(route)}
                >
                  <Pencil aria-hidden="true" />
                </Button>
                <Button
                  look="quiet"
                  size="icon"
                  aria-label={trunkRoutesText.removeRoute(name, route.trunkName)}
                  onClick={() => onRemove(route)}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Routes of one prefix, in the order in which a call tries them. */
interface PrefixRoutes {
  readonly prefix: string;
  readonly routes: readonly TrunkRoute[];
}

/** The longest prefix wins, so it comes first; within one, lower priorities go first and bigger shares before smaller. */
export function groupRoutes(routes: readonly TrunkRoute[]): PrefixRoutes[] {
  return [...Map.groupBy(routes, ({ prefix }) => prefix)]
    .map(([prefix, of]) => ({
      prefix,
      routes: of.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight || (a.id < b.id ? -1 : 1)),
    }))
    .sort((a, b) => b.prefix.length - a.prefix.length || (a.prefix < b.prefix ? -1 : 1));
}

/** Describes the role of a route among those of its prefix. */
export function describePlace(route: TrunkRoute, { routes }: PrefixRoutes): string {
  const before = new Set(routes.filter(({ priority }) => priority < route.priority).map(({ priority }) => priority));
  const beside = routes.filter(({ priority }) => priority === route.priority);
  const place = trunkRoutesText.place(before.size + 1);
  if (beside.length === 1) return place;
  const total = beside.reduce((sum, { weight }) => sum + weight, 0);
  if (route.weight === 0) return total === 0 ? place : trunkRoutesText.placeWhenNoOther(place);
  return trunkRoutesText.placeWithShare(place, Math.round((100 * route.weight) / total));
}

function formatPrefix(prefix: string): string {
  return prefix === "" ? trunkRoutesText.allOtherNumbers : `+${prefix}…`;
}

const routesQuery = pagesOf(trunkKeys.routes, listTrunkRoutes);

interface Values {
  prefix: string;
  trunkId: string;
  priority: string;
  weight: string;
}

interface RouteDialogProps {
  /** Null creates a new one. */
  readonly route: TrunkRoute | null;
  onClose(): void;
}

const NAMED = ["prefix", "trunkId", "priority", "weight"];

function RouteDialog({ route, onClose }: RouteDialogProps) {
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
    message: ({ trunkName }) => (route ? trunkRoutesText.routeSaved : trunkRoutesText.routeAdded(trunkName)),
    onDone: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={route ? trunkRoutesText.changeTitle : trunkRoutesText.addRoute}
      lead={trunkRoutesText.lead}
    >
      <form className="space-y-4" onSubmit={handleSubmit((values) => run(values))}>
        <FormError error={error} named={NAMED} />
        <TextField
          label={trunkRoutesText.numbersThatBeginWith}
          inputMode="tel"
          placeholder={trunkRoutesText.allNumbers}
          hint={trunkRoutesText.prefixHint}
          error={fields["prefix"]}
          {...register("prefix")}
        />
        {/* The browser shows an option that is rendered too late as the first one. */}
        <SelectField
          key={choices.length}
          label={trunkRoutesText.trunk}
          error={fields["trunkId"]}
          {...register("trunkId")}
        >
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={trunkRoutesText.order}
            inputMode="numeric"
            hint={trunkRoutesText.orderHint}
            error={fields["priority"]}
            {...register("priority")}
          />
          <TextField
            label={trunkRoutesText.share}
            inputMode="numeric"
            hint={trunkRoutesText.shareHint}
            error={fields["weight"]}
            {...register("weight")}
          />
        </div>
        <DialogActions>
          <Button onClick={onClose}>{trunkRoutesText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isBusy} disabled={choices.length === 0}>
            {route ? trunkRoutesText.save : trunkRoutesText.addThisRoute}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
