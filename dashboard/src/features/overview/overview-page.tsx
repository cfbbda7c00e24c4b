import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChartNoAxesColumn, Plus } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { useMode } from "../../app/mode.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { NewCall } from "../calls/new-call.tsx";
import { FirstSteps, useSteps } from "./first-steps.tsx";
import { PERIOD_PLANS, PERIODS } from "./period.ts";
import { UsageCharts } from "./usage-charts.tsx";
import { usageQuery } from "./usage-queries.ts";

const route = getRouteApi("/signed-in/");

export function OverviewPage() {
  const { mode } = useMode();
  const { period = "week" } = route.useSearch();
  const navigate = route.useNavigate();
  const steps = useSteps();
  const { data: usage, error, refetch } = useQuery(usageQuery(mode, period));
  const [isPlacing, setPlacing] = useState(false);
  const toast = useToast();
  const dismiss = () => {
    steps.putAway(true);
    toast({ text: "The first steps were put away.", undo: () => steps.putAway(false) });
  };
  const showsSteps = mode === "test" && steps.isOpen === true;
  // A new account sees the first steps instead of empty charts.
  const showsCharts = usage !== undefined && !(showsSteps && !steps.hasCalled);
  return (
    <Page
      title="Overview"
      lead={showsCharts ? `${mode === "test" ? "Test" : "Live"} calls of ${PERIOD_PLANS[period].words}.` : undefined}
      actions={
        <>
          {showsCharts ? (
            <Segmented
              label="Period"
              value={period}
              choices={PERIODS.map((value) => ({ value, label: PERIOD_PLANS[value].label }))}
              onChoose={(next) =>
                void navigate({ search: next === "week" ? {} : { period: next }, replace: true, resetScroll: false })
              }
            />
          ) : null}
          <Button look={showsSteps ? "secondary" : "primary"} onClick={() => setPlacing(true)}>
            <Plus aria-hidden="true" />
            New call
          </Button>
        </>
      }
    >
      <div className="space-y-5">
        {error ? (
          <Notice
            tone="danger"
            action={
              <Button size="small" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          >
            {errorText(error)}
          </Notice>
        ) : null}
        {showsSteps ? <FirstSteps steps={steps} onPlace={() => setPlacing(true)} onDismiss={dismiss} /> : null}
        {usage === undefined && !error ? <WaitingCharts /> : null}
        {showsCharts && usage.total.calls === 0 ? (
          <div className="rounded-2xl border border-line bg-surface">
            <EmptyState
              icon={<ChartNoAxesColumn />}
              title={`No ${mode} calls in ${PERIOD_PLANS[period].words}`}
              text="What calls amount to is shown here as soon as there are some."
            />
          </div>
        ) : null}
        {showsCharts && usage.total.calls > 0 ? <UsageCharts usage={usage} /> : null}
      </div>
      {isPlacing ? <NewCall onClose={() => setPlacing(false)} /> : null}
    </Page>
  );
}

function WaitingCharts() {
  return (
    <div role="status" className="grid gap-5 md:grid-cols-2">
      <span className="sr-only">Fetching the figures</span>
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className="space-y-4 rounded-2xl border border-line bg-surface p-5">
          <Skeleton className="h-5 w-24" />
          <Skeleton className="h-7 w-32" />
          <Skeleton className="h-32 w-full" />
        </div>
      ))}
    </div>
  );
}
