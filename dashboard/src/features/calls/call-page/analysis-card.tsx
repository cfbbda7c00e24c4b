import type { Call } from "@parley/contract/calls";
import { analyzeCall } from "@parley/contract/routes/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { callKeys } from "../../../app/live-keys.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Facts } from "../../../ui/layout/facts.tsx";
import { outcomeInWords } from "../call-labels.ts";
import { callQuery } from "../call-queries.ts";
import { callPageText } from "./text.tsx";

type Analysis = NonNullable<Call["analysis"]>;

/** How an answered call turned out, who judged it, and a way to have it judged again. */
export function AnalysisCard({ call }: { readonly call: Call }) {
  const { analysis } = call;
  const queries = useQueryClient();
  const toast = useToast();
  const again = useMutation({
    mutationFn: () => send(analyzeCall, { params: { id: call.id }, mode: call.mode, body: {} }),
    onSuccess: (analyzed) => {
      queries.setQueryData(callQuery(call.mode, call.id).queryKey, analyzed);
      void queries.invalidateQueries({ queryKey: callKeys.one(call.id) });
      void queries.invalidateQueries({ queryKey: callKeys.lists });
      toast({ text: callPageText.analyzedAgain });
    },
  });
  if (analysis === null || analysis.status === "off") return null;
  return (
    <Card
      title={callPageText.analysis}
      aside={
        analysis.status === "pending" ? null : (
          <Button size="small" isBusy={again.isPending} onClick={() => again.mutate()} title={callPageText.analyzeHint}>
            <RefreshCw aria-hidden="true" />
            {again.isPending ? callPageText.analyzing : callPageText.analyzeAgain}
          </Button>
        )
      }
    >
      {again.error ? (
        <div className="mb-2">
          <Notice tone="danger">{errorText(again.error)}</Notice>
        </div>
      ) : null}
      {analysis.status === "ready" ? (
        <Judgment analysis={analysis} />
      ) : (
        <p className="text-sm text-ink-soft">
          {analysis.status === "pending" ? callPageText.resultKnownLater : callPageText.notAnalyzed}
        </p>
      )}
    </Card>
  );
}

function Judgment({ analysis }: { readonly analysis: Analysis }) {
  const { summary, success, labels, by, model } = analysis;
  const judge = by === "model" ? (model ?? callPageText.aModel) : by === "rules" ? callPageText.theFlow : null;
  const facts = [
    { name: callPageText.result, value: outcomeInWords(analysis) ?? callPageText.none },
    success === null
      ? null
      : {
          name: callPageText.success,
          value: (
            <Badge tone={success ? "success" : "danger"}>
              {success ? callPageText.successful : callPageText.unsuccessful}
            </Badge>
          ),
        },
    labels.length === 0 ? null : { name: callPageText.labels, value: labels.join(", ") },
    judge === null ? null : { name: callPageText.analyzedBy, value: judge },
  ];
  return (
    <>
      {summary ? (
        <p className="mb-2 text-sm break-words" dir="auto">
          {summary}
        </p>
      ) : null}
      <Facts facts={facts.filter((fact) => fact !== null)} />
    </>
  );
}
