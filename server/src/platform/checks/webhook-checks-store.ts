import { REPORTS_KEPT_DAYS } from "./event-checks-store.ts";
import { AS_OF, type InvariantCheck } from "./invariant-check.ts";

/** What must hold of events on their way to endpoints. */
export const WEBHOOK_CHECKS: readonly InvariantCheck[] = [
  {
    name: "deliveries_stay_in_their_account",
    promise: "An event is on its way only to endpoints of the account and mode it happened in.",
    sql: `
      select d.id as subject, 'takes ' || d.event_id || ' to ' || d.endpoint_id || ' of another account or mode' as detail
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id left join outbox o on o.id = d.event_id
      where o.account_id is distinct from e.account_id or o.mode is distinct from e.mode`,
  },
  {
    name: "attempts_are_counted",
    promise: "A delivery counts exactly the attempts that were written down, for as long as attempts are kept.",
    sql: `
      select d.id as subject, 'counts ' || d.attempt_count || ' attempts; there are ' || count(a.fence) as detail
      from webhook_deliveries d left join webhook_attempts a on a.delivery_id = d.id
      where d.created_at > ${AS_OF} - interval '${REPORTS_KEPT_DAYS} days'
      group by d.id
      having count(a.fence) <> d.attempt_count`,
  },
  {
    name: "delivered_means_accepted",
    promise: "What is noted as delivered was accepted by an attempt, for as long as attempts are kept.",
    sql: `
      select d.id as subject, 'is delivered, but no attempt succeeded' as detail
      from webhook_deliveries d
      where d.status = 'delivered' and d.created_at > ${AS_OF} - interval '${REPORTS_KEPT_DAYS} days'
        and not exists (select 1 from webhook_attempts a where a.delivery_id = d.id and a.is_success)`,
  },
];
