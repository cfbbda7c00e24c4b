import type { Call } from "@parley/contract/calls";
import { formatClock } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { causeOf } from "../calls/call-words.ts";

/** What failed on our side during a call. Nothing when nothing did. */
export function Incidents({ call }: { readonly call: Pick<Call, "incidents" | "endReason" | "createdAt"> }) {
  const { incidents, endReason, createdAt } = call;
  const isOurs = endReason === "engine_error" || endReason === "worker_lost";
  if (incidents.length === 0) return null;
  return (
    <section aria-label="Problems on our side" className="mb-5">
      <Notice tone={isOurs ? "danger" : "warning"}>
        <p className="font-medium">
          {isOurs ? "This call failed because of a problem on our side." : "Something went wrong on our side."}
        </p>
        <ul className="mt-1.5 space-y-1.5">
          {incidents.map((incident) => (
            <li key={`${incident.what} ${incident.reason}`}>
              <time dateTime={incident.at} className="tabular-nums opacity-80">
                {formatClock(Math.max(0, Date.parse(incident.at) - Date.parse(createdAt)) / 1000)}
              </time>{" "}
              {incident.effect} <span className="opacity-80">{causeOf(incident)}</span>
            </li>
          ))}
        </ul>
      </Notice>
    </section>
  );
}
