import type { CommandContext } from "./command-context.ts";

/** A link holds the service's address, which a command knows for certain only from the settings: it may listen elsewhere. */
export function reportAssumedAddress({ settings, report }: CommandContext, publicUrl: string): void {
  if (settings.publicUrl !== null) return;
  report(`Assuming the service is at ${publicUrl}; set PARLEY_PUBLIC_URL or PARLEY_PORT if not.`);
}
