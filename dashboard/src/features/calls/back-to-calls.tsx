import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { CallsSearch } from "./call-filter.ts";
import { callsText } from "./text.ts";

let lastSearch: Omit<CallsSearch, "mode"> = {};

/** Keeps what the list of calls shows, so that the way back from a call leads to the same calls. */
export function rememberCallsSearch(search: Omit<CallsSearch, "mode">): void {
  lastSearch = search;
}

/** The way back from a page about calls. */
export function BackToCalls({ to = "/calls" }: { readonly to?: "/calls" | "/calls/batches" }) {
  return (
    <Link
      to={to}
      search={to === "/calls" ? lastSearch : {}}
      className="mb-3 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {to === "/calls" ? callsText.calls : callsText.batches}
    </Link>
  );
}
