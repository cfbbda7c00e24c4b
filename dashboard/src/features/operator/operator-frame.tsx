import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { meQuery } from "../../api/sign-in-state.ts";
import { MissingPage } from "../../app/fallback-pages.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { SectionFrame } from "../../ui/layout/section-frame.tsx";

const PLACES = [
  { to: "/operator/trunks", label: "Trunks" },
  { to: "/operator/routes", label: "Routes" },
  { to: "/operator/rates", label: "Rates" },
  { to: "/operator/providers", label: "Providers" },
  { to: "/operator/engines", label: "Engines" },
  { to: "/operator/gate", label: "Gate" },
  { to: "/operator/accounts", label: "Accounts" },
] as const;

/** The operator's pages. Other members get a not-found page, as from the API. */
export function OperatorFrame() {
  const { data: me } = useQuery(meQuery);
  if (!me?.member.isOperator) return <MissingPage />;
  if (me.member.secondFactor === "required") return <SetUpFirst />;
  return <SectionFrame label="Operator" places={PLACES} />;
}

/** The API refuses operator routes in the same case. */
function SetUpFirst() {
  return (
    <Page title="Operator">
      <EmptyState
        icon={<ShieldCheck />}
        title="Set up two-factor authentication first"
        text="This installation can be reached from other machines, so its operators sign in with a second factor."
        action={
          <Link to="/settings/security" className={buttonClass({ look: "primary" })}>
            Go to Security
          </Link>
        }
      />
    </Page>
  );
}
