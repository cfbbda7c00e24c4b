import type { TrunkRoute } from "@parley/contract/trunk-routes";

/** Routes of one prefix, in the order in which a call tries them. */
export interface PrefixRoutes {
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

/** What a route does beside the others of its prefix, in words. */
export function describePlace(route: TrunkRoute, { routes }: PrefixRoutes): string {
  const before = new Set(routes.filter(({ priority }) => priority < route.priority).map(({ priority }) => priority));
  const beside = routes.filter(({ priority }) => priority === route.priority);
  const place =
    before.size === 0
      ? "Tried first"
      : before.size === 1
        ? "When the first fails"
        : `Tried as number ${before.size + 1}`;
  if (beside.length === 1) return place;
  const total = beside.reduce((sum, { weight }) => sum + weight, 0);
  if (route.weight === 0) return total === 0 ? place : `${place}, only when no other is left`;
  return `${place}, with ${Math.round((100 * route.weight) / total)} % of the calls`;
}

export function formatPrefix(prefix: string): string {
  return prefix === "" ? "All other numbers" : `+${prefix}…`;
}
