import { useQuery } from "@tanstack/react-query";
import { inWords } from "../../api/refusal.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { ForOwners } from "../settings/for-owners.tsx";
import { settingsQuery } from "../settings/settings-query.ts";
import { AccountLimits } from "./account-limits.tsx";
import { CallingHoursCard } from "./calling-hours-card.tsx";
import { DisclosureCard } from "./disclosure-card.tsx";
import { RetentionCard } from "./retention-card.tsx";

/** Settings > Limits and hours: how many calls, when people are phoned, and how long what was said is kept. */
export function LimitsPage() {
  return (
    <Page title="Limits and hours" lead="How many calls, when people are phoned, and how long what was said is kept.">
      <div className="space-y-6">
        <AccountLimits />
        <ForOwners what="calling hours and how long things are kept">
          <OwnersSettings />
        </ForOwners>
      </div>
    </Page>
  );
}

function OwnersSettings() {
  const { data: settings, error } = useQuery(settingsQuery);
  if (error && !settings) return <Notice tone="danger">{inWords(error)}</Notice>;
  if (!settings) return <SkeletonRows count={4} label="Fetching the settings" />;
  return (
    <>
      <CallingHoursCard settings={settings} />
      <RetentionCard settings={settings} />
      <DisclosureCard settings={settings} />
    </>
  );
}
