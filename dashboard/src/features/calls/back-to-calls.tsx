import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { callsText } from "./text.ts";

/** The way back from a page about calls. */
export function BackToCalls({ to = "/calls" }: { readonly to?: "/calls" | "/calls/batches" }) {
  return (
    <Link to={to} className="mb-3 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink">
      <ArrowLeft aria-hidden="true" className="size-4" />
      {to === "/calls" ? callsText.calls : callsText.batches}
    </Link>
  );
}
