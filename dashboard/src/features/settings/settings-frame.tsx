import { SectionFrame } from "../../ui/layout/section-frame.tsx";
import { useIsOwner } from "./for-owners.tsx";

/** The pages of the settings, in order. Pages that need owner routes of the API are shown to owners only. */
const SETTINGS_PLACES = [
  { to: "/settings/account", label: "Account", isForOwners: false },
  { to: "/settings/security", label: "Security", isForOwners: false },
  { to: "/settings/developer", label: "Developer", isForOwners: false },
  { to: "/settings/webhooks", label: "Webhooks", isForOwners: false },
  { to: "/settings/alerts", label: "Alerts", isForOwners: false },
  { to: "/settings/mcp", label: "MCP servers", isForOwners: false },
  { to: "/settings/billing", label: "Billing", isForOwners: false },
  { to: "/settings/limits", label: "Limits and hours", isForOwners: false },
  { to: "/settings/suppressions", label: "Suppression list", isForOwners: false },
  { to: "/settings/members", label: "Members", isForOwners: true },
  { to: "/settings/audit", label: "Audit log", isForOwners: true },
] as const;

/** The frame of the settings pages. */
export function SettingsFrame() {
  const isOwner = useIsOwner();
  const places = SETTINGS_PLACES.filter(({ isForOwners }) => isOwner || !isForOwners);
  return <SectionFrame label="Settings" places={places} />;
}
