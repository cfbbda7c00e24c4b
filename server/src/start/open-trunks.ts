import { applyConfiguration } from "../phone/trunks/apply-configuration.ts";
import { type OpenTrunkDirectory, openTrunkDirectory } from "../phone/trunks/trunk-directory.ts";
import type { Ground } from "./ground.ts";

/** Makes trunks what the file of trunks says, where one is named, and keeps them at hand. */
export async function openTrunks({ db, secrets, listener, log, settings }: Ground): Promise<OpenTrunkDirectory> {
  const { trunks } = settings;
  if (trunks !== null) {
    const { created, changed, disabled, routesChanged } = await applyConfiguration(db, secrets, trunks);
    if (created.length + changed.length + disabled.length + routesChanged > 0)
      log.info({ created, changed, disabled, routesChanged }, "trunks were made what the file of trunks says");
  }
  return openTrunkDirectory({ db, secrets, listener, log });
}
