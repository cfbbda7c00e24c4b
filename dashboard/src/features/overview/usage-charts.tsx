import type { Usage } from "@parley/contract/usage";
import { TimeChart } from "../../ui/time-chart.tsx";
import { EndReasons } from "./end-reasons.tsx";
import {
  formatBucket,
  formatCount,
  formatDelay,
  formatDollars,
  formatMinutes,
  formatShare,
  shareOf,
} from "./usage-words.ts";

/** What the calls of the period amounted to, each figure over time. */
export function UsageCharts({ usage }: { readonly usage: Usage }) {
  const { total, buckets, granularity, mode } = usage;
  const time = {
    moments: buckets.map(({ start }) => formatBucket(start, granularity)),
    momentsName: granularity === "day" ? "Day" : "Hour",
  };
  const answerRate = shareOf(total.answered, total.calls);
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <TimeChart
        {...time}
        title="Calls"
        figure={formatCount(total.calls)}
        note={`${formatCount(total.answered)} answered, ${formatCount(total.failed)} failed`}
        shape="bars"
        series={[
          { name: "Answered", tone: "accent", values: buckets.map(({ answered }) => answered) },
          { name: "Not answered", tone: "soft", values: buckets.map(({ calls, answered }) => calls - answered) },
        ]}
        format={formatCount}
        empty="No calls in this period."
      />
      <TimeChart
        {...time}
        title="Answer rate"
        figure={answerRate === null ? "–" : formatShare(answerRate)}
        note="Of all calls, those that were answered"
        shape="lines"
        top={100}
        series={[
          { name: "Answered", tone: "accent", values: buckets.map(({ calls, answered }) => shareOf(answered, calls)) },
        ]}
        format={formatShare}
        empty="Nobody answered in this period."
      />
      <TimeChart
        {...time}
        title="Minutes"
        figure={formatMinutes(total.talkSeconds / 60)}
        note="From the answer to the end"
        shape="bars"
        series={[{ name: "Minutes", tone: "accent", values: buckets.map(({ talkSeconds }) => talkSeconds / 60) }]}
        format={formatMinutes}
        empty="Nothing was talked in this period."
      />
      <TimeChart
        {...time}
        title="Spend"
        figure={formatDollars(Number(total.spend))}
        note="What calls cost"
        shape="bars"
        series={[{ name: "Spend", tone: "accent", values: buckets.map(({ spend }) => Number(spend)) }]}
        format={formatDollars}
        empty={mode === "test" ? "Test calls cost nothing." : "Nothing was spent in this period."}
      />
      <TimeChart
        {...time}
        title="Response time"
        figure={total.responseMsP50 === null ? "–" : formatDelay(total.responseMsP50)}
        note={
          total.responseMsP95 === null
            ? "How long callees wait for a reply"
            : `Half of ${formatCount(total.turns)} replies; 95 of 100 within ${formatDelay(total.responseMsP95)}`
        }
        shape="lines"
        series={[
          { name: "Half within", tone: "accent", values: buckets.map(({ responseMsP50 }) => responseMsP50) },
          { name: "95 % within", tone: "soft", values: buckets.map(({ responseMsP95 }) => responseMsP95) },
        ]}
        format={formatDelay}
        empty="No replies were measured in this period."
      />
      <EndReasons usage={usage} />
    </div>
  );
}
