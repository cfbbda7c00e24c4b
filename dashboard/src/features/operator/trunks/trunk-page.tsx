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
      title={trunk.data?.name ?? "Trunk"}
      above={
        <Link
          to="/operator/trunks"
          className="mb-2 inline-flex items-center gap-1 text-sm text-ink-soft hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          Trunks
        </Link>
      }
      lead={trunk.data ? trunkState(trunk.data).sentence : undefined}
      actions={trunk.data ? <Actions trunk={trunk.data} /> : null}
    >
      {trunk.error ? <Notice tone="danger">{errorText(trunk.error)}</Notice> : null}
      {trunk.isPending ? <SkeletonRows count={5} label="Loading the trunk" /> : null}
      {trunk.data ? (
        <div className="space-y-5">
          {trunk.data.managedBy === "configuration" ? (
            <Notice tone="accent">
              This trunk comes from the file that PARLEY_TRUNKS names. It is changed there, and taken up at the next
              start.
            </Notice>
          ) : null}
          <div className="grid items-start gap-5 xl:grid-cols-2">
            <Health trunk={trunk.data} />
            <Card title="Settings">
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
    message: ({ isEnabled }) => (isEnabled ? `${trunk.name} is on.` : `${trunk.name} is off. It gets no new calls.`),
    undo: ({ isEnabled }) => change(!isEnabled),
    subject: () => `switch of ${trunk.id}`,
  });
  const remove = useEdit({
    run: (_: undefined) => send(deleteTrunk, { params: { id: trunk.id } }),
    changes: [trunkKeys.all],
    message: () => `${trunk.name} was removed.`,
    onDone: () => void navigate({ to: "/operator/trunks" }),
  });
  if (trunk.managedBy === "configuration") return null;
  return (
    <>
      <Button onClick={() => setRemoving(true)}>Remove</Button>
      <Button onClick={() => toggle.run(!trunk.isEnabled)} isBusy={toggle.isBusy}>
        {trunk.isEnabled ? "Switch off" : "Switch on"}
      </Button>
      <Link
        to="/operator/trunks/$trunkId/edit"
        params={{ trunkId: trunk.id }}
        className={buttonClass({ look: "primary" })}
      >
        <Pencil aria-hidden="true" />
        Change
      </Link>
      {isRemoving ? (
        <ConfirmDialog
          title={`Remove “${trunk.name}”?`}
          lead="Its settings and its password are forgotten. Routes that lead to it must be removed first."
          keep="Keep it"
          confirm="Remove the trunk"
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
  return (
    <Card title="State" aside={<Badge tone={tone}>{word}</Badge>}>
      <Facts
        facts={[
          { name: "Calls now", value: `${trunk.activeCalls}${trunk.channelsMax ? ` of ${trunk.channelsMax}` : ""}` },
          {
            name: "Pace",
            value: trunk.callsPerSecond === null ? "no limit" : `${trunk.callsPerSecond} new calls a second`,
          },
          ...trunk.health.map(
            ({ workerId, isReachable, isRegistered, circuit, trouble, reportedAt }): Fact => ({
              name: `Worker …${workerId.slice(-4)}, ${formatMoment(reportedAt)}`,
              value: [
                isReachable === null ? null : isReachable ? "reachable" : "unreachable",
                isRegistered === null ? null : isRegistered ? "registered" : "not registered",
                circuit === "closed" ? null : circuit === "open" ? "resting" : "being tried",
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
    const { label, username, password, publicKey } = VENDOR_TRUNKS[trunk.kind];
    return [
      { name: "Kind", value: label },
      { name: username.label, value: trunk.username ?? "none" },
      { name: password.label, value: trunk.hasPassword ? "stored, never shown" : "none" },
      ...(publicKey === null ? [] : maybe(publicKey.label, trunk.publicKey)),
      { name: "Caller ids", value: callerIds.join(", ") },
    ];
  }
  return [
    { name: "Kind", value: "SIP" },
    {
      name: "Server",
      value: `${trunk.host}${trunk.port === null ? "" : `:${trunk.port}`} over ${trunk.transport.toUpperCase()}`,
    },
    { name: "User name", value: trunk.username ?? "none: by address" },
    { name: "Password", value: trunk.hasPassword ? "stored, never shown" : "none" },
    ...maybe("Registers as", trunk.registersAs),
    { name: "Caller ids", value: callerIds.length === 0 ? "any" : callerIds.join(", ") },
    { name: "Numbers", value: trunk.numberFormat === "e164" ? "with the plus sign" : "digits only" },
    ...maybe("Technical prefix", trunk.dialPrefix || null),
    { name: "Codecs", value: trunk.codecs.join(", ") },
    { name: "Encrypted sound", value: { off: "never", optional: "where it can", required: "always" }[trunk.srtp] },
    ...maybe("Outbound proxy", trunk.outboundProxy),
    ...maybe("Our public address", publicAddress && `${publicAddress.host}:${publicAddress.port}`),
  ];
}

function NoTrunk() {
  return (
    <EmptyState
      icon={<RadioTower />}
      title="There is no such trunk"
      text="It may have been removed."
      action={
        <Link to="/operator/trunks" className={buttonClass({ look: "primary" })}>
          Go to trunks
        </Link>
      }
    />
  );
}

type Counts = TrunkDetails["answers"];

/** How calls on a trunk were answered, by the number that was shown and by day. */
function Answers({ trunk }: { readonly trunk: TrunkDetails }) {
  if (trunk.answers.attempts === 0) return null;
  const byNumber = trunk.answersByCallerId.map(({ callerId, ...counts }) => ({ name: callerId ?? "none", ...counts }));
  const byDay = trunk.answersByDay.map(({ day, ...counts }) => ({ name: day, ...counts }));
  return (
    <div className="grid gap-5 xl:grid-cols-2">
      <AnswerTable title={`By caller id, last ${ANSWER_DAYS} days`} first="Caller id" rows={byNumber} />
      <AnswerTable title="By day (UTC)" first="Day" rows={byDay} />
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
            <th className="pb-2 text-right font-medium">Calls</th>
            <th className="pb-2 text-right font-medium">Rang</th>
            <th className="pb-2 text-right font-medium">Answered</th>
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
