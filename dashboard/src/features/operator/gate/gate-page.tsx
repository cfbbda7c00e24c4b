import { useQuery } from "@tanstack/react-query";
import { errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { GateRulesForm, gateQuery } from "./gate-rules.tsx";
import { gateText } from "./text.ts";

/** Operator > Calling rules: who may be called, unless an account has rules of its own. */
export function GatePage() {
  const gate = useQuery(gateQuery);
  return (
    <Page title={gateText.gate} lead={gateText.lead}>
      {gate.error ? <Notice tone="danger">{errorText(gate.error)}</Notice> : null}
      {gate.isPending ? <SkeletonRows count={4} label={gateText.loadingRules} /> : null}
      {gate.data ? <GateRulesForm rules={gate.data} /> : null}
    </Page>
  );
}
