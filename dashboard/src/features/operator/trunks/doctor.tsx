import { DOCTOR_STEPS, type DoctorFinding, type DoctorReport } from "@parley/contract/doctor";
import { examineTrunk } from "@parley/contract/routes/doctor";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Stethoscope } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { ApiError } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { Badge, type Tone } from "../../../ui/feedback/badge.tsx";
import { FormError } from "../../../ui/feedback/notice.tsx";
import { Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { operatorTrunksText } from "./text.ts";

/** Tests a trunk end to end and explains what was found and what to do about it. */
export function Doctor({ trunkId }: { readonly trunkId: string }) {
  const queries = useQueryClient();
  const [to, setTo] = useState("");
  const kept = queries.getQueryData<DoctorReport>(["doctor", trunkId]);
  const {
    mutate,
    isPending,
    error,
    data = kept,
  } = useMutation({
    mutationFn: (number: string) =>
      send(examineTrunk, { params: { id: trunkId }, body: number === "" ? {} : { to: number } }),
    // The result survives leaving the page and coming back.
    onSuccess: (report) => queries.setQueryData(["doctor", trunkId], report),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(to.replaceAll(/[\s().-]/g, ""));
  };
  const fields = error instanceof ApiError ? error.fields : {};
  return (
    <Card title={operatorTrunksText.doctor}>
      <form className="flex flex-col gap-3 sm:flex-row sm:items-start" onSubmit={submit}>
        <div className="min-w-0 flex-1">
          <TextField
            label={operatorTrunksText.alsoCallANumber}
            type="tel"
            placeholder="+4930100"
            hint={operatorTrunksText.callHint}
            value={to}
            onChange={(event) => setTo(event.target.value)}
            error={fields["to"]}
          />
        </div>
        <Button type="submit" look="primary" isBusy={isPending} className="sm:mt-7">
          <Stethoscope aria-hidden="true" />
          {operatorTrunksText.examine}
        </Button>
      </form>
      <div className="mt-4 space-y-4">
        <FormError error={error} named={["to"]} />
        {isPending ? <UnderWay isCalling={to !== ""} /> : null}
        {!isPending && data ? <Report report={data} /> : null}
      </div>
    </Card>
  );
}

function UnderWay({ isCalling }: { readonly isCalling: boolean }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((now) => now + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div>
      <p role="status" className="text-sm text-ink-soft">
        {isCalling ? operatorTrunksText.examiningWithCall : operatorTrunksText.examining}
      </p>
      <p aria-hidden="true" className="text-sm text-ink-soft tabular-nums">
        {seconds} s
      </p>
      <ul aria-hidden="true" className="mt-3 divide-y divide-line">
        {DOCTOR_STEPS.map((step) => (
          <li key={step} className="flex items-center gap-4 py-3">
            <span className="w-28 shrink-0 text-sm text-ink-soft">{operatorTrunksText.steps[step]}</span>
            <Skeleton className="h-4 flex-1" />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Report({ report }: { readonly report: DoctorReport }) {
  const faults = report.findings.filter(({ verdict }) => verdict === "fault").length;
  return (
    <div>
      <p role="status" className="font-medium">
        {operatorTrunksText.reportSummary(report.isHealthy ? 0 : faults)}
      </p>
      <ol aria-label={operatorTrunksText.findings} className="mt-2 divide-y divide-line">
        {report.findings.map((finding) => (
          <Finding key={`${finding.step} ${finding.finding}`} finding={finding} />
        ))}
      </ol>
    </div>
  );
}

function Finding({ finding: { step, verdict, finding, remedy } }: { readonly finding: DoctorFinding }) {
  const { word, tone } = VERDICT_LABELS[verdict];
  return (
    <li className="flex flex-col gap-x-4 gap-y-1 py-3 sm:flex-row">
      <p className="flex w-60 shrink-0 items-center gap-2 self-start text-sm sm:justify-between">
        <span className="text-ink-soft">{operatorTrunksText.steps[step]}</span>
        <Badge tone={tone}>{word}</Badge>
      </p>
      <div className="min-w-0 flex-1 text-sm break-words">
        <p>{apiText.wordSentence(finding)}</p>
        {remedy ? (
          <p className="mt-1">
            <span className="font-medium">{operatorTrunksText.whatToDo} </span>
            {apiText.wordSentence(remedy)}
          </p>
        ) : null}
      </div>
    </li>
  );
}

const VERDICT_LABELS: Readonly<Record<DoctorFinding["verdict"], { readonly word: string; readonly tone: Tone }>> = {
  ok: { word: operatorTrunksText.fine, tone: "accent" },
  warning: { word: operatorTrunksText.lookAtThis, tone: "warning" },
  fault: { word: operatorTrunksText.atFault, tone: "danger" },
  skipped: { word: operatorTrunksText.notLookedAt, tone: "neutral" },
};
