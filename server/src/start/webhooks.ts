import { systemClock } from "@parley/time/clock";
import { findOwnerEmails } from "../accounts/members.ts";
import { findTraceContext } from "../calls/call-store.ts";
import { DELIVERIES_CHANNEL } from "../platform/database/channels.ts";
import { createOutboundHttp } from "../platform/outbound-http/outbound-http.ts";
import { makePolicy } from "../platform/outbound-http/outbound-policy.ts";
import { Deliverer } from "../webhooks/sending/deliverer.ts";
import { type EndpointAlert, noticeMail } from "../webhooks/sending/notices.ts";
import { outboundWords } from "./outbound-words.ts";
import type { ServiceContext } from "./service-context.ts";

export interface WebhooksRole {
  stop(): Promise<void>;
}

/** Joins the parts that deliver webhooks. */
export function startWebhooks({
  db,
  listener,
  secrets,
  settings,
  exposure,
  mailer,
  metrics,
  tracing,
  log,
  version,
}: ServiceContext): WebhooksRole {
  const outbound = createOutboundHttp({ policy: makePolicy(outboundWords(settings, exposure)) });
  const deliverer = new Deliverer({
    db,
    clock: systemClock,
    random: Math.random,
    secrets,
    outbound,
    ...(settings.telemetry.collector === null
      ? {}
      : { tracing, findTraceContext: (callId: string) => findTraceContext(db, callId) }),
    userAgent: `Parley-Webhooks/${version}`,
    onAttempt: ({ isSuccess }) => metrics.webhookAttempted(isSuccess),
    onNotice: (notice) => void tellOwners(notice),
    onError: (error) => log.warn({ error }, "webhook delivery failed; retrying"),
  });

  /** A notice that cannot be sent is in the log; the endpoint's own record says the same. */
  async function tellOwners(notice: EndpointAlert): Promise<void> {
    const { accountId, endpoint, kind } = notice;
    log.warn({ accountId, endpointId: endpoint.id, kind }, "webhook endpoint failing");
    if (!mailer) return;
    try {
      for (const email of await findOwnerEmails(db, accountId)) mailer.send(noticeMail(email, notice));
    } catch (error) {
      log.warn({ error, accountId, endpointId: endpoint.id }, "owners of a failing endpoint could not be notified");
    }
  }

  const unlisten = [
    listener.on(DELIVERIES_CHANNEL, () => deliverer.wakeSoon()),
    listener.onReconnect(() => deliverer.wakeSoon()),
  ];
  deliverer.wake();
  return {
    async stop() {
      for (const stop of unlisten) stop();
      await deliverer.stop();
      outbound.close();
    },
  };
}
