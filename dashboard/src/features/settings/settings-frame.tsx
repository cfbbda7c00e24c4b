import { SectionFrame } from "../../ui/section-frame.tsx";
import { SETTINGS_PLACES } from "./settings-places.ts";
import { useIsOwner } from "./use-is-owner.ts";

/** What surrounds the pages of the settings. */
export function SettingsFrame() {
  const isOwner = useIsOwner();
  const places = SETTINGS_PLACES.filter(({ isForOwners }) => isOwner || !isForOwners);
  return <SectionFrame label="Settings" places={places} />;
}
