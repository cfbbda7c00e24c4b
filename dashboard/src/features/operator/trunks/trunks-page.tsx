import type { Trunk } from "@parley/contract/trunks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, RadioTower } from "lucide-react";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { buttonClass } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { PagedList } from "../../../ui/layout/paged-list.tsx";
import { operatorTrunksText } from "./text.ts";
import { trunksQuery } from "./trunk-queries.ts";
import { formatShare, trunkState } from "./trunk-state.ts";

/** Operator > Trunks: the connections to the telephone network, and their state. */
export function TrunksPage() {
  const trunks = useInfiniteQuery(trunksQuery);
  const hasAny = (trunks.data?.pages[0]?.rows.length ?? 0) > 0;
  const add = (
    <Link to="/operator/trunks/new" className={buttonClass({ look: "primary" })}>
      <Plus aria-hidden="true" />
      {operatorTrunksText.addTrunk}
    </Link>
  );
  return (
    <Page title={operatorTrunksText.trunks} lead={operatorTrunksText.lead} actions={hasAny ? add : null}>
      <Card title={operatorTrunksText.yourTrunks} isFlush>
        <PagedList
          list={trunks}
          label={operatorTrunksText.loadingTrunks}
          empty={
            <EmptyState
              icon={<RadioTower />}
              title={operatorTrunksText.noTrunkYet}
              text={operatorTrunksText.emptyList}
              action={add}
            />
          }
        >
          {(rows) => (
            <ul className="mt-2 divide-y divide-line border-t border-line">
              {rows.map((trunk) => (
                <TrunkRow key={trunk.id} trunk={trunk} />
              ))}
            </ul>
          )}
        </PagedList>
      </Card>
    </Page>
  );
}

function TrunkRow({ trunk }: { readonly trunk: Trunk }) {
  const { tone, word, sentence } = trunkState(trunk);
  const { attempts, answerRate } = trunk.answers;
  return (
    <li className="relative flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-4 hover:bg-sunken/50 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to="/operator/trunks/$trunkId"
            params={{ trunkId: trunk.id }}
            className="font-medium break-words after:absolute after:inset-0"
          >
            {trunk.name}
          </Link>
          <Badge tone={tone}>{word}</Badge>
          {trunk.managedBy === "configuration" ? <Badge>{operatorTrunksText.fromAFile}</Badge> : null}
        </p>
        <p className="mt-0.5 truncate font-mono text-[0.8125rem] text-ink-soft">
          {trunk.kind === "sip" ? trunk.transport : trunk.kind}:{trunk.host}
          {trunk.port === null ? "" : `:${trunk.port}`}
        </p>
        <p className="sr-only">{sentence}</p>
      </div>
      <dl className="grid grid-cols-3 gap-x-6 text-sm sm:w-80">
        <Figure
          name={operatorTrunksText.callsNow}
          value={operatorTrunksText.usedOf(trunk.activeCalls, trunk.channelsMax)}
        />
        <Figure
          name={operatorTrunksText.pace}
          value={
            trunk.callsPerSecond === null
              ? operatorTrunksText.noPaceLimit
              : operatorTrunksText.perSecond(trunk.callsPerSecond)
          }
        />
        <Figure
          name={operatorTrunksText.answered}
          value={attempts === 0 ? operatorTrunksText.noCalls : formatShare(answerRate)}
        />
      </dl>
    </li>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt className="text-xs text-ink-soft">{name}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  );
}
