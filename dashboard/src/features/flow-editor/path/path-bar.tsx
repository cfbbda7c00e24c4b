import type { Call } from "@parley/contract/calls";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Maximize, Route as RouteIcon, Search } from "lucide-react";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { ToolbarButton } from "../toolbar-button.tsx";

interface PathBarProps {
  readonly agentName: string;
  readonly call: Call;
  readonly stepCount: number;
  /** Steps at nodes that the shown flow does not have. */
  readonly lostCount: number;
  readonly isLikeDraft: boolean;
  onSearch(): void;
  onShowWhole(): void;
  onClose(): void;
}

/** Says whose path is drawn and on which version, and leads back to the draft. */
export function PathBar({ agentName, call, stepCount, onSearch, onShowWhole, onClose, ...facts }: PathBarProps) {
  const { agentVersion: version } = call;
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-3 py-2 sm:px-4">
        <Link
          to="/calls/$callId"
          params={{ callId: call.id }}
          aria-label="Back to the call"
          className="p-2 text-ink-soft hover:text-ink"
        >
          <ArrowLeft aria-hidden="true" className="size-4.5" />
        </Link>
        <h1 className="min-w-0 truncate font-semibold">{agentName}</h1>
        <Badge tone="accent">{version === 0 ? "Draft, read-only" : `Version ${version}, read-only`}</Badge>
        <div className="ml-auto flex items-center gap-1">
          <ToolbarButton label="Find a node" onClick={onSearch} icon={<Search aria-hidden="true" />} />
          <ToolbarButton label="Show the whole flow" onClick={onShowWhole} icon={<Maximize aria-hidden="true" />} />
          <Button look="primary" size="small" className="ml-1" onClick={onClose}>
            Back to the draft
          </Button>
        </div>
      </div>
      <div role="status" className="flex items-start gap-3 border-b border-line bg-accent-soft px-4 py-2 text-sm">
        <RouteIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
        <p className="min-w-0 flex-1">
          The path of the call to{" "}
          <Link to="/calls/$callId" params={{ callId: call.id }} className="font-medium text-accent-text underline">
            {call.phoneNumber}
          </Link>
          , {formatMoment(call.createdAt)}: {stepCount === 1 ? "1 step" : `${stepCount} steps`}.{" "}
          {explainVersion(version, facts)}
        </p>
      </div>
    </>
  );
}

function explainVersion(version: number, { lostCount, isLikeDraft }: Pick<PathBarProps, "lostCount" | "isLikeDraft">) {
  const lost =
    lostCount === 0 ? "" : ` ${lostCount} of its steps ${lostCount === 1 ? "is" : "are"} not in it any more.`;
  if (version === 0)
    return `It tried a draft, which has no number to go back to; this is the draft as it is now.${lost}`;
  return `This is version ${version}, with which it was held; ${isLikeDraft ? "the draft is still like it" : "the draft has changed since"}.`;
}
