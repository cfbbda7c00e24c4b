import type { DeliveredType } from "@parley/contract/webhook-deliveries";
import { type Database, run } from "../../platform/database/database.ts";
import type { SealedSecrets } from "../endpoint-secret.ts";

/** A delivery that is this process's to attempt, with all that it takes. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly fence: number;
  readonly tryCount: number;
  readonly eventId: string;
  readonly eventType: DeliveredType;
  /** The call that the event is about, if it is about one. */
  readonly callId: string | null;
  readonly body: string;
  readonly url: string;
  readonly headersSealed: Buffer;
  readonly endpoint: SealedSecrets;
}

export interface ClaimLimits {
  readonly rowsMax: number;
  readonly perEndpointMax: number;
  readonly failuresToOpen: number;
  readonly leaseMs: number;
}

/** So many endpoints are looked at in one claim, and those of so many deliveries that have been due for longest. */
const LOOKED_AT_MAX = 50;

/** What one claim found. */
export interface Claims {
  readonly claimed: ClaimedDelivery[];
  /** The endpoint after which to look next if this found nothing; null when there is nothing else. */
  readonly next: string | null;
}

/**
 * A claim costs the same however many endpoints wait: it looks at the endpoints of the deliveries that have been due for
 * longest, and at some after a given one, one step through the index for each. Where few deliveries are due the first are all of
 * them. Where many are, of endpoints that cannot take more, the second find the others within a round.
 *
 * Endpoints are locked, so that two processes never count the same free places, and those that another process just
 * looks at are skipped. Places are assigned in turns: every endpoint's oldest delivery comes before any endpoint's second.
 * The due time is checked again by the update, which sees rows that another process claimed in the meantime.
 */
const CLAIM = `/* claim_deliveries */
  with recursive following as (
    (select d.endpoint_id, 1 as place from webhook_deliveries d where d.status = 'pending' and d.endpoint_id > $6 order by d.endpoint_id limit 1)
    union all
    select (
      select d.endpoint_id from webhook_deliveries d
      where d.status = 'pending' and d.endpoint_id > f.endpoint_id order by d.endpoint_id limit 1
    ), f.place + 1
    from following f where f.endpoint_id is not null and f.place < ${LOOKED_AT_MAX}
  ),
  oldest as materialized (
    select d.endpoint_id from webhook_deliveries d
    where d.status = 'pending' and d.next_attempt_at <= $1 order by d.next_attempt_at limit ${LOOKED_AT_MAX}
  ),
  ready as (
    select e.id, e.is_enabled,
      case when e.failures_in_a_row >= $5 then 1 else $4 end - (
        select count(*) from webhook_deliveries c
        where c.endpoint_id = e.id and c.claimed_until is not null and c.claimed_until > $1
      ) as places
    from webhook_endpoints e
    where e.id in (select endpoint_id from following union select endpoint_id from oldest)
      and e.deleted_at is null and (e.paused_until is null or e.paused_until <= $1)
    for no key update of e skip locked
  ),
  chosen as (
    select due.id
    from ready r cross join lateral (
      select d.id, d.next_attempt_at, row_number() over (order by d.next_attempt_at, d.id) as turn
      from webhook_deliveries d
      where d.endpoint_id = r.id and d.status = 'pending' and d.next_attempt_at <= $1 and (r.is_enabled or d.is_asked_for)
      order by d.next_attempt_at, d.id
      limit greatest(r.places, 0)
    ) due
    order by due.turn, due.next_attempt_at, due.id limit $2
  ),
  claimed as (
    update webhook_deliveries d
    set claimed_until = $3, next_attempt_at = $3, fence = d.fence + 1
    from chosen, webhook_endpoints e, outbox o
    where d.id = chosen.id and d.status = 'pending' and d.next_attempt_at <= $1 and e.id = d.endpoint_id and o.id = d.event_id
    returning d.id, d.fence, d.try_count, d.event_id, d.event_type, d.call_id, o.body, e.id as endpoint_id, e.url, e.headers_sealed,
      e.secret_sealed, e.previous_secret_sealed, e.previous_secret_until
  )
  select c.*, looked.next from (
    select case when (select count(*) from oldest) = ${LOOKED_AT_MAX} and count(f.endpoint_id) = ${LOOKED_AT_MAX} then max(f.endpoint_id)
      when (select count(*) from oldest) = ${LOOKED_AT_MAX} and $6 <> '' then '' end as next
    from following f
  ) looked left join claimed c on true`;

interface ClaimRow extends SealedSecrets {
  readonly fence: number;
  readonly try_count: number;
  readonly event_id: string;
  readonly event_type: DeliveredType;
  readonly call_id: string | null;
  readonly body: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly headers_sealed: Buffer;
}

type LookedRow = (ClaimRow | { readonly id: null }) & { readonly next: string | null };

/**
 * Claims what is due, looking at endpoints after a given one. A claim left unsettled by a process that died is due again after
 * the lease.
 */
export async function claimDeliveries(db: Database, nowMs: number, limits: ClaimLimits, after = ""): Promise<Claims> {
  const rows = await run<LookedRow>(db, CLAIM, [
    new Date(nowMs),
    limits.rowsMax,
    new Date(nowMs + limits.leaseMs),
    limits.perEndpointMax,
    limits.failuresToOpen,
    after,
  ]);
  const claimed = rows.flatMap((row) => (row.id === null ? [] : toClaimed(row)));
  return { claimed, next: rows[0]?.next ?? null };
}

function toClaimed(row: ClaimRow): ClaimedDelivery {
  return {
    id: row.id,
    fence: row.fence,
    tryCount: row.try_count,
    eventId: row.event_id,
    eventType: row.event_type,
    callId: row.call_id,
    body: row.body,
    url: row.url,
    headersSealed: row.headers_sealed,
    endpoint: {
      id: row.endpoint_id,
      secret_sealed: row.secret_sealed,
      previous_secret_sealed: row.previous_secret_sealed,
      previous_secret_until: row.previous_secret_until,
    },
  };
}

const NEXT_DUE = `/* next_due_delivery */
  select min(greatest(first.next_attempt_at, e.paused_until)) as due
  from (
    select d.endpoint_id, d.next_attempt_at, d.is_asked_for from webhook_deliveries d
    where d.status = 'pending' order by d.next_attempt_at limit ${LOOKED_AT_MAX}
  ) first join webhook_endpoints e on e.id = first.endpoint_id
  where e.deleted_at is null and (e.is_enabled or first.is_asked_for)`;

/**
 * When something is due next, or null when nothing waits. Where many deliveries of paused endpoints come first, something else
 * may be due earlier.
 */
export async function findNextDueMs(db: Database): Promise<number | null> {
  const [row] = await run<{ due: Date | number | null }>(db, NEXT_DUE);
  if (!row || row.due === null) return null;
  return typeof row.due === "number" ? row.due : row.due.getTime();
}

/** Returns claims untried: they are due immediately, and no attempt is counted. */
export async function releaseClaims(
  db: Database,
  claims: readonly Pick<ClaimedDelivery, "id" | "fence">[],
): Promise<void> {
  await run(
    db,
    `/* release_claims */ update webhook_deliveries d set claimed_until = null, next_attempt_at = '-infinity'
     from unnest($1::text[], $2::int[]) as c(id, fence)
     where d.id = c.id and d.fence = c.fence and d.status = 'pending'`,
    [claims.map(({ id }) => id), claims.map(({ fence }) => fence)],
  );
}
