import type { Call } from "@parley/contract/calls";
import { Card } from "../../ui/card.tsx";
import { Facts } from "../../ui/facts.tsx";
import { formatUsd } from "../../ui/format.ts";

export function CostLines({ call: { cost, mode } }: { readonly call: Call }) {
  if (!cost) {
    if (mode === "test") return null;
    return (
      <Card title="Cost">
        <p className="text-sm text-ink-soft">It is known when the call has ended.</p>
      </Card>
    );
  }
  return (
    <Card title="Cost" aside={<span className="font-semibold tabular-nums">{formatUsd(cost.total)}</span>}>
      {cost.lines.length === 0 ? (
        <p className="text-sm text-ink-soft">
          {mode === "test" ? "Test calls cost nothing." : "Nothing was charged for this call."}
        </p>
      ) : (
        <>
          {cost.charged ? null : (
            <p className="mb-3 text-sm text-ink-soft">
              Not charged. This is what the call would have cost on a real network.
            </p>
          )}
          <Facts
            facts={cost.lines.map(({ item, seconds, perMinute, amount }) => ({
              name: item,
              value: (
                <>
                  {formatUsd(amount)}
                  <span className="block text-xs text-ink-soft">
                    {seconds} s at {formatUsd(perMinute)} a minute
                  </span>
                </>
              ),
            }))}
          />
        </>
      )}
    </Card>
  );
}
