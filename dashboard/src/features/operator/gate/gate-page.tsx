import { useQuery } from "@tanstack/react-query";
import { errorText } from "../../../api/api-error.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { GateRulesForm, gateQuery } from "./gate-rules.tsx";

/** Operator > Gate: who may be called, unless an account has rules of its own. */
export function GatePage() {
  const gate = useQuery(gateQuery);
  return (
    <Page
      title="Gate"
      lead="Who may be called on trunks, by every account that has no rules of its own. Emergency and premium numbers never are; simulated calls know none of these rules."
    >
      {gate.error ? <Notice tone="danger">{errorText(gate.error)}</Notice> : null}
      {gate.isPending ? <SkeletonRows count={4} label="Loading the rules" /> : null}
      {gate.data ? <GateRulesForm rules={gate.data} /> : null}
    </Page>
  );
}
