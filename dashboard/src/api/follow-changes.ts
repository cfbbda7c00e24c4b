import { followCalls } from "@parley/contract/routes/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { addressOf } from "./send.ts";

/** What the live stream tells: these calls changed, or anything may have. */
export type Changes = { readonly kind: "calls"; readonly callIds: ReadonlySet<string> } | { readonly kind: "anything" };

/** A busy account changes many times a second; a page that is read by people need not. */
const GATHER_MS = 250;
/** The browser gives up for good when a reply is no stream, as while the service restarts behind a proxy. */
const OPEN_AGAIN_MS = 3000;

/** Follows the changes of an account's calls in one mode. One stream serves the whole page. Returns how to stop. */
export function followChanges(mode: Mode, onChanges: (changes: Changes) => void, onOpen: (open: boolean) => void) {
  let source: EventSource | null = null;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let callIds = new Set<string>();
  let wasOpen = false;

  function open(): void {
    source = new EventSource(addressOf(followCalls, { mode }));
    source.addEventListener("call", (event) => {
      callIds.add((JSON.parse(event.data) as { callId: string }).callId);
      gathering ??= setTimeout(tell, GATHER_MS);
    });
    source.addEventListener("refetch", () => onChanges({ kind: "anything" }));
    source.addEventListener("open", () => {
      // What happened while nobody listened is not repeated.
      if (wasOpen) onChanges({ kind: "anything" });
      wasOpen = true;
      onOpen(true);
    });
    source.addEventListener("error", () => {
      onOpen(false);
      if (source?.readyState === EventSource.CLOSED) reopening = setTimeout(open, OPEN_AGAIN_MS);
    });
  }

  function tell(): void {
    const told = callIds;
    callIds = new Set();
    gathering = undefined;
    onChanges({ kind: "calls", callIds: told });
  }

  open();
  return () => {
    source?.close();
    clearTimeout(gathering);
    clearTimeout(reopening);
  };
}
