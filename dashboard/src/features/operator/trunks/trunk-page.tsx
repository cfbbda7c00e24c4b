import { changeTrunk, deleteTrunk } from "@parley/contract/routes/operator";
import { ANSWER_DAYS, type TrunkDetails, VENDOR_TRUNKS } from "@parley/contract/trunks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ChevronLeft, Pencil, RadioTower } from "lucide-react";
import { useState } from "react";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { formatMoment } from "../../../ui/format.ts";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { useEdit } from "../../../ui/forms/use-edit.ts";
import { Card } from "../../../ui/layout/card.tsx";
import { ConfirmDialog } from "../../../ui/layout/dialog.tsx";
import { type Fact, Facts } from "../../../ui/layout/facts.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Doctor } from "./doctor.tsx";
import { operatorTrunksText } from "./text.ts";
import { trunkKeys, trunkQuery } from "./trunk-queries.ts";
import { formatShare, trunkState } from "./trunk-state.ts";

const route = getRouteApi("/signed-in/operator/trunks/$trunkId");

/** A trunk: its state, its settings, and the doctor. */
export function TrunkPage() {
  const { trunkId } = route.useParams();
  const trunk = useQuery(trunkQuery(trunkId));
  if (trunk.error instanceof ApiError && trunk.error.code === "not_found") return <NoTrunk />;
  return (
    <Page
      title={trunk.data?.name ?? operatorTrunksText.trunk}
      above={
        <Link
          to="/operator/trunks"
          className="mb-2 inline-flex items-center gap-1 text-sm text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          {operatorTrunksText.trunks}
        </Link>
      }
      lead={trunk.data ? trunkState(trunk.data).sentence : undefined}
      actions={trunk.data ? <Actions trunk={trunk.data} /> : null}
    >
      {trunk.error ? <Notice tone="danger">{errorText(trunk.error)}</Notice> : null}
      {trunk.isPending ? <SkeletonRows count={5} label={operatorTrunksText.loadingTrunk} /> : null}
      {trunk.data ? (
        <div className="space-y-5">
          {trunk.data.managedBy === "configuration" ? (
            <Notice tone="accent">{operatorTrunksText.managedByFile}</Notice>
          ) : null}
          <div className="grid items-start gap-5 xl:grid-cols-2">
            <Health trunk={trunk.data} />
            <Card title={operatorTrunksText.settings}>
              <Facts facts={settingFacts(trunk.data)} />
            </Card>
          </div>
          <Doctor key={trunkId} trunkId={trunkId} />
          <Answers trunk={trunk.data} />
        </div>
      ) : null}
    </Page>
  );
}

function Actions({ trunk }: { readonly trunk: TrunkDetails }) {
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const change = (isEnabled: boolean) => send(changeTrunk, { params: { id: trunk.id }, body: { isEnabled } });
  const toggle = useEdit({
    run: change,
    changes: [trunkKeys.all],
    message: ({ isEnabled }) =>
      isEnabled ? operatorTrunksText.isOn(trunk.name) : operatorTrunksText.isOff(trunk.name),
    undo: ({ isEnabled }) => change(!isEnabled),
    subject: () => `switch:${trunk.id}`,
  });
  const remove = useEdit({
    run: (_: undefined) => send(deleteTrunk, { params: { id: trunk.id } }),
    changes: [trunkKeys.all],
    message: () => operatorTrunksText.wasRemoved(trunk.name),
    onDone: () => void navigate({ to: "/operator/trunks" }),
  });
  if (trunk.managedBy === "configuration") return null;
  return (
    <>
      <Button onClick={() => setRemoving(true)}>{operatorTrunksText.remove}</Button>
      <Button onClick={() => toggle.run(!trunk.isEnabled)} isBusy={toggle.isBusy}>
        {trunk.isEnabled ? operatorTrunksText.switchOff : operatorTrunksText.switchOn}
      </Button>
      <Link
        to="/operator/trunks/$trunkId/edit"
        params={{ trunkId: trunk.id }}
        className={buttonClass({ look: "primary" })}
      >
        <Pencil aria-hidden="true" />
        {operatorTrunksText.change}
      </Link>
      {isRemoving ? (
        <ConfirmDialog
          title={operatorTrunksText.removeQuestion(trunk.name)}
          lead={operatorTrunksText.removeConsequence}
          keep={operatorTrunksText.keepIt}
          confirm={operatorTrunksText.removeTrunk}
          isBusy={remove.isBusy}
          error={remove.error}
          onConfirm={() => remove.run(undefined)}
          onClose={() => setRemoving(false)}
        />
      ) : null}
    </>
  );
}

function Health({ trunk }: { readonly trunk: TrunkDetails }) {
  const { tone, word } = trunkState(trunk);
  const { health } = operatorTrunksText;
  return (
    <Card title={operatorTrunksText.state} aside={<Badge tone={tone}>{word}</Badge>}>
      <Facts
        facts={[
          {
            name: operatorTrunksText.callsNow,
            value: operatorTrunksText.usedOf(trunk.activeCalls, trunk.channelsMax),
          },
          {
            name: operatorTrunksText.pace,
            value:
              trunk.callsPerSecond === null
                ? operatorTrunksText.noPaceLimit
                : operatorTrunksText.newCallsPerSecond(trunk.callsPerSecond),
          },
          ...trunk.health.map(
            ({ workerId, isReachable, isRegistered, circuit, trouble, reportedAt }): Fact => ({
              name: operatorTrunksText.worker(workerId.slice(-4), formatMoment(reportedAt)),
              value: [
                isReachable === null ? null : isReachable ? health.reachable : health.unreachable,
                isRegistered === null ? null : isRegistered ? health.registered : health.notRegistered,
                circuit === "closed" ? null : circuit === "open" ? health.resting : health.beingTried,
                trouble,
              ]
                .filter(Boolean)
                .join(", "),
            }),
          ),
        ]}
      />
    </Card>
  );
}

function settingFacts(trunk: TrunkDetails): Fact[] {
  const { publicAddress, callerIds } = trunk;
  const maybe = (name: string, value: string | null): Fact[] => (value === null ? [] : [{ name, value }]);
  if (trunk.kind !== "sip") {
    const { label } = VENDOR_TRUNKS[trunk.kind];
    const { username, password, publicKey } = operatorTrunksText.vendorFields[trunk.kind];
    return [
      { name: operatorTrunksText.kind, value: label },
      { name: username.label, value: trunk.username ?? operatorTrunksText.none },
      { name: password, value: trunk.hasPassword ? operatorTrunksText.storedNeverShown : operatorTrunksText.none },
      ...(publicKey === null ? [] : maybe(publicKey.label, trunk.publicKey)),
      { name: operatorTrunksText.callerIds, value: callerIds.join(", ") },
    ];
  }
  return [
    { name: operatorTrunksText.kind, value: "SIP" },
    {
      name: operatorTrunksText.server,
      value: operatorTrunksText.overTransport(
        `${trunk.host}${trunk.port === null ? "" : `:${trunk.port}`}`,
        trunk.transport.toUpperCase(),
      ),
    },
    { name: operatorTrunksText.userName, value: trunk.username ?? operatorTrunksText.noneByAddress },
    {
      name: operatorTrunksText.password,
      value: trunk.hasPassword ? operatorTrunksText.storedNeverShown : operatorTrunksText.none,
    },
    ...maybe(operatorTrunksText.registersAs, trunk.registersAs),
    {
      name: operatorTrunksText.callerIds,
      value: callerIds.length === 0 ? operatorTrunksText.anyNumber : callerIds.join(", "),
    },
    {
      name: operatorTrunksText.numbers,
      value: trunk.numberFormat === "e164" ? operatorTrunksText.writtenWithPlus : operatorTrunksText.digitsOnly,
    },
    ...maybe(operatorTrunksText.technicalPrefix, trunk.dialPrefix || null),
    { name: operatorTrunksText.codecs, value: trunk.codecs.join(", ") },
    {
      name: operatorTrunksText.encryptedSound,
      value: operatorTrunksText.srtp[trunk.srtp],
    },
    ...maybe(operatorTrunksText.outboundProxy, trunk.outboundProxy),
    ...maybe(operatorTrunksText.ourPublicAddress, publicAddress && `${publicAddress.host}:${publicAddress.port}`),
  ];
}

function NoTrunk() {
  return (
    <EmptyState
      icon={<RadioTower />}
      title={operatorTrunksText.notFound}
      text={operatorTrunksText.notFoundText}
      action={
        <Link to="/operator/trunks" className={buttonClass({ look: "primary" })}>
          {operatorTrunksText.goToTrunks}
        </Link>
      }
    />
  );
}

type Counts = TrunkDetails["answers"];

/** How calls on a trunk were answered, by the number that was shown and by day. */
function Answers({ trunk }: { readonly trunk: TrunkDetails }) {
  if (trunk.answers.attempts === 0) return null;
  const byNumber = trunk.answersByCallerId.map(({ callerId, ...counts }) => ({
    name: callerId ?? operatorTrunksText.none,
    ...counts,
  }));
  const byDay = trunk.answersByDay.map(({ day, ...counts }) => ({ name: day, ...counts }));
  return (
    <div className="grid gap-5 xl:grid-cols-2">
      <AnswerTable
        title={operatorTrunksText.byCallerId(ANSWER_DAYS)}
        first={operatorTrunksText.callerId}
        rows={byNumber}
      />
      <AnswerTable title={operatorTrunksText.byDayUtc} first={operatorTrunksText.day} rows={byDay} />
    </div>
  );
}

interface AnswerTableProps {
  readonly title: string;
  readonly first: string;
  readonly rows: readonly (Counts & { readonly name: string })[];
}

function AnswerTable({ title, first, rows }: AnswerTableProps) {
  return (
    <Card title={title}>
      <table className="w-full text-sm tabular-nums">
        <thead className="text-left text-xs text-ink-soft">
          <tr>
            <th className="pb-2 font-medium">{first}</th>
            <th className="pb-2 text-right font-medium">{operatorTrunksText.calls}</th>
            <th className="pb-2 text-right font-medium">{operatorTrunksText.rang}</th>
            <th className="pb-2 text-right font-medium">{operatorTrunksText.answered}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ name, attempts, rang, answerRate }) => (
            <tr key={name}>
              <td className="py-2">{name}</td>
              <td className="py-2 text-right">{attempts}</td>
              <td className="py-2 text-right">{rang}</td>
              <td className="py-2 text-right">{formatShare(answerRate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
