import { getAccount } from "@parley/contract/routes/account";
import type { Mode } from "@parley/contract/shared-fields";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { inWords } from "../../api/refusal.ts";
import { send } from "../../api/send.ts";
import { useMode } from "../../app/mode.tsx";
import { Card } from "../../ui/card.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";

/** How many calls are under way differs by mode. It is fetched anew whenever the balance is. */
const standingQuery = (mode: Mode) =>
  queryOptions({ queryKey: ["account", mode], queryFn: ({ signal }) => send(getAccount, { mode, signal }) });

/** What the account may do at once, and how much of it is in use. */
export function AccountLimits() {
  const { mode } = useMode();
  const { data, error } = useQuery(standingQuery(mode));
  return (
    <Card title={mode === "test" ? "Test calls" : "Live calls"}>
      {error && !data ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      {!data && !error ? <SkeletonRows count={3} label="Fetching the limits" /> : null}
      {data ? (
        <>
          <Facts
            facts={[
              {
                name: "Calls at the same time",
                value: <Share used={data.usage.activeCalls} of={data.limits.concurrentCalls} />,
              },
              { name: "Calls that wait", value: <Share used={data.usage.queuedCalls} of={data.limits.queuedCalls} /> },
              { name: "Calls begun per second", value: data.limits.callsPerSecond },
              { name: "Requests per second", value: data.limits.requestsPerSecond },
            ]}
          />
          <p className="mt-3 text-sm text-ink-soft">
            What goes beyond waits its turn; when too many wait, further calls are refused. Whoever runs this
            installation can raise these.
          </p>
        </>
      ) : null}
    </Card>
  );
}

function Share({ used, of }: { readonly used: number; readonly of: number }) {
  const percent = of > 0 ? Math.min(100, (100 * used) / of) : 100;
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden="true" className="h-1.5 w-24 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="tabular-nums">
        {used.toLocaleString()} of {of.toLocaleString()}
      </span>
    </span>
  );
}
