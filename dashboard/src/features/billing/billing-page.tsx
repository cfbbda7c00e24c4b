import { Page } from "../../ui/page.tsx";
import { Ledger } from "./ledger.tsx";
import { RateLookUp } from "./rate-look-up.tsx";
import { SpendCaps } from "./spend-caps.tsx";
import { Standing } from "./standing.tsx";

/** Settings > Billing: what is left, what calls cost, and how much they may. */
export function BillingPage() {
  return (
    <Page title="Billing" lead="Test calls cost nothing. Live calls are charged by the second, from the answer on.">
      <div className="space-y-6">
        <Standing />
        <RateLookUp />
        <SpendCaps />
        <Ledger />
      </div>
    </Page>
  );
}
