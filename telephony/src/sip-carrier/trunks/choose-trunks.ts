import type { RoutedTrunk, Trunk, TrunkDirectory, TrunkRoute } from "./trunk.ts";
import type { TrunkHealth } from "./trunk-health.ts";
import { digitsOf } from "./write-number.ts";

/** A trunk that may carry a call, and the number it shows there. */
export interface TrunkChoice<T extends RoutedTrunk = Trunk> {
  readonly trunk: T;
  readonly callerId: string | null;
}

export interface TrunkQuery {
  readonly to: string;
  /** The number to show, null for the trunk's own. */
  readonly from: string | null;
}

export interface TrunkSelection<T extends RoutedTrunk = Trunk> {
  /** In the order in which they are tried. */
  readonly choices: readonly TrunkChoice<T>[];
  /** Why there is none, human-readable; null if there is one. */
  readonly obstacle: string | null;
}

export interface SelectionDeps<T extends RoutedTrunk = Trunk> {
  readonly directory: TrunkDirectory<T>;
  readonly healthOf: (trunkId: string) => TrunkHealth;
  /** From 0 up to but not including 1. */
  readonly fraction: () => number;
}

/**
 * The trunks for a number: those of the longest prefix first, then by priority, then drawn by weight. Shorter prefixes
 * follow, since their routes may carry the number as well. A trunk whose pings go unanswered is tried last.
 */
export function chooseTrunks<T extends RoutedTrunk>(deps: SelectionDeps<T>, query: TrunkQuery): TrunkSelection<T> {
  const trunks = trunksOnRoute(deps, digitsOf(query.to));
  if (trunks.length === 0) return none("No route leads to this number.");
  const enabled = trunks.filter(({ isEnabled }) => isEnabled);
  if (enabled.length === 0) return none("Every trunk for this number is switched off.");
  const allowed = enabled.filter((trunk) => mayShow(trunk, query.from));
  if (allowed.length === 0) return none("No trunk for this number may show this caller id.");
  const working = allowed.filter(({ id }) => deps.healthOf(id).circuit !== "open");
  if (working.length === 0) return none("Every trunk for this number is out of order.");
  const isAway = ({ id }: T) => deps.healthOf(id).isReachable === false;
  const ordered = [...working.filter((trunk) => !isAway(trunk)), ...working.filter(isAway)];
  const choices = ordered.map((trunk) => ({ trunk, callerId: query.from ?? trunk.callerIds[0] ?? null }));
  return { choices, obstacle: null };
}

function none(obstacle: string): TrunkSelection<never> {
  return { choices: [], obstacle };
}

function mayShow({ callerIds }: RoutedTrunk, from: string | null): boolean {
  if (from === null || callerIds.length === 0) return true;
  return callerIds.some((callerId) => digitsOf(callerId) === digitsOf(from));
}

/** Every trunk once, at its best place. */
function trunksOnRoute<T extends RoutedTrunk>({ directory, fraction }: SelectionDeps<T>, digits: string): T[] {
  const routes = directory.routes.filter(({ prefix }) => digits.startsWith(prefix));
  const byId = new Map(directory.trunks.map((trunk) => [trunk.id, trunk]));
  const ordered = groups(routes).flatMap((group) => drawByWeight(group, fraction));
  const ids = new Set(ordered.map(({ trunkId }) => trunkId));
  return [...ids].flatMap((id) => byId.get(id) ?? []);
}

/** Routes of one prefix and priority are grouped, the preferred group first. */
function groups(routes: readonly TrunkRoute[]): TrunkRoute[][] {
  const sorted = routes.toSorted((a, b) => b.prefix.length - a.prefix.length || a.priority - b.priority);
  const found: TrunkRoute[][] = [];
  for (const route of sorted) {
    const last = found.at(-1);
    const isAlike = last?.[0]?.prefix === route.prefix && last[0].priority === route.priority;
    if (last !== undefined && isAlike) last.push(route);
    else found.push([route]);
  }
  return found;
}

/** Each is drawn with a chance that follows its weight; those of weight 0 come when no other is left. */
function drawByWeight(routes: readonly TrunkRoute[], fraction: () => number): TrunkRoute[] {
  const left = routes.filter(({ weight }) => weight > 0);
  const drawn: TrunkRoute[] = [];
  while (left.length > 0) {
    let mark = fraction() * left.reduce((sum, { weight }) => sum + weight, 0);
    const at = left.findIndex(({ weight }) => {
      mark -= weight;
      return mark < 0;
    });
    drawn.push(...left.splice(at < 0 ? left.length - 1 : at, 1));
  }
  return [...drawn, ...routes.filter(({ weight }) => weight <= 0)];
}
