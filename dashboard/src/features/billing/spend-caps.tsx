import { useQuery } from "@tanstack/react-query";
import { inWords } from "../../api/refusal.ts";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { AmountSetting } from "../settings/amount-setting.tsx";
import { settingsQuery } from "../settings/settings-query.ts";
import { useIsOwner } from "../settings/use-is-owner.ts";

/** How much may be spent. Owners set it; others are not asked. */
export function SpendCaps() {
  return useIsOwner() ? <Caps /> : null;
}

function Caps() {
  const { data: settings, error } = useQuery(settingsQuery);
  return (
    <Card title="Caps and warnings">
      {error && !settings ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      {!settings && !error ? <SkeletonRows count={2} label="Fetching the caps" /> : null}
      {settings ? (
        <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
          <AmountSetting
            name="dailySpendCap"
            label="All calls of a day"
            hint="Further calls are refused, and live ones end politely, when a day (UTC) has cost so much. Empty: no cap."
            settings={settings}
          />
          <AmountSetting
            name="callSpendCap"
            label="One call"
            hint="A call that has cost so much ends politely. Empty: no cap."
            settings={settings}
          />
          <AmountSetting
            name="destinationSpendCap"
            label="One number in a day"
            hint="Protects from a number that is called again and again. Empty: no cap."
            settings={settings}
          />
          <AmountSetting
            name="creditLowAt"
            label="Warn when the credit falls below"
            hint="The webhook credit.low is sent once, and again after a top-up."
            settings={settings}
            isNeeded
          />
        </div>
      ) : null}
    </Card>
  );
}
