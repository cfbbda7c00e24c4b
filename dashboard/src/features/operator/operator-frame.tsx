import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { meQuery } from "../../api/sign-in-state.ts";
import { MissingPage } from "../../app/fallback-pages.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { buttonClass } from "../../ui/forms/button.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { SectionFrame } from "../../ui/layout/section-frame.tsx";
import { operatorText } from "./text.ts";

const PLACES = [
  { to: "/operator/trunks", label: operatorText.trunks },
  { to: "/operator/routes", label: operatorText.routes },
  { to: "/operator/rates", label: operatorText.rates },
  { to: "/operator/providers", label: operatorText.providers },
  { to: "/operator/engines", label: operatorText.engines },
  { to: "/operator/gate", label: operatorText.gate },
  { to: "/operator/accounts", label: operatorText.accounts },
] as const;

/** The operator's pages. Other members get a not-found page, as from the API. */
export function OperatorFrame() {
  const { data: me } = useQuery(meQuery);
  if (!me?.member.isOperator) return <MissingPage />;
  if (me.member.secondFactor === "required") return <SetUpFirst />;
  return <SectionFrame label={operatorText.operator} places={PLACES} />;
}

/** The API refuses operator routes in the same case. */
function SetUpFirst() {
  return (
    <Page title={operatorText.operator}>
      <EmptyState
        icon={<ShieldCheck />}
        title={operatorText.setUpTitle}
        text={operatorText.setUpReason}
        action={
          <Link to="/settings/security" className={buttonClass({ look: "primary" })}>
            {operatorText.goToSecurity}
          </Link>
        }
      />
    </Page>
  );
}
