import { ANSWER_DAYS, type TrunkDetails } from "@parley/contract/trunks";
import { Card } from "../../ui/card.tsx";
import { formatShare } from "./trunk-state.ts";

type Counts = TrunkDetails["answers"];

/** How calls on a trunk were answered, by the number that was shown and by day. */
export function Answers({ trunk }: { readonly trunk: TrunkDetails }) {
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
