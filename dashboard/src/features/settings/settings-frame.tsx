import { SectionFrame } from "../../ui/layout/section-frame.tsx";
import { useIsOwner } from "./for-owners.tsx";
import { settingsText } from "./text.tsx";

/** The pages of the settings, in order. Pages that need owner routes of the API are shown to owners only. */
const SETTINGS_PLACES = [
  { to: "/settings/account", label: settingsText.account, isForOwners: false },
  { to: "/settings/security", label: settingsText.security, isForOwners: false },
  { to: "/settings/developer", label: settingsText.developer, isForOwners: false },
  { to: "/settings/webhooks", label: settingsText.webhooks, isForOwners: false },
  { to: "/settings/alerts", label: settingsText.alerts, isForOwners: false },
  { to: "/settings/mcp", label: settingsText.mcpServers, isForOwners: false },
  { to: "/settings/billing", label: settingsText.billing, isForOwners: false },
  { to: "/settings/limits", label: settingsText.limitsAndHours, isForOwners: false },
  { to: "/settings/suppressions", label: settingsText.suppressionList, isForOwners: false },
  { to: "/settings/members", label: settingsText.members, isForOwners: true },
  { to: "/settings/audit", label: settingsText.auditLog, isForOwners: true },
] as const;

/** The frame of the settings pages. */
export function SettingsFrame() {
  const isOwner = useIsOwner();
  const places = SETTINGS_PLACES.filter(({ isForOwners }) => isOwner || !isForOwners);
  return <SectionFrame label={settingsText.settings} places={places} />;
}
