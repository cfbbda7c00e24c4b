import { BATCH_ROWS_MAX, type BatchCheck, CHECKED_ROWS_MAX } from "@parley/contract/batches";
import { checkBatch, createBatch } from "@parley/contract/routes/batches";
import type { Mode } from "@parley/contract/shared-fields";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { useIdempotencyKeys } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { BATCHES_KEY } from "../../../app/live-keys.ts";
import { useMode } from "../../../app/mode.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { formatUsd } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Checkbox, CONTROL, Select, SelectField, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { BackToCalls } from "../back-to-calls.tsx";
import { callVariablesQuery } from "../new-call/new-call-queries.ts";
import { type CallList, type ColumnUse, guessUses, type ListRow, readList, toRows } from "./read-list.ts";
import { batchesText } from "./text.tsx";

/** A list of numbers becomes a batch: paste or drop it, say what its columns are, check it, call. */
export function NewBatchPage() {
  const { mode } = useMode();
  const { data: agents = [] } = useQuery(agentsQuery);
  const ready = agents.filter(({ publishedVersion }) => publishedVersion !== null);
  const [agentId, setAgentId] = useState("");
  const [name, setName] = useState("");
  const [scheduledAt, setScheduledAt] = useState("");
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<readonly ColumnUse[] | null>(null);
  const agent = ready.find(({ id }) => id === agentId) ?? ready[0];
  const { data: variables = [] } = useQuery(callVariablesQuery(agent));
  const read = text.trim() === "" ? null : readList(text);
  const list = read?.ok ? read.list : null;
  const names = variables.map((variable) => variable.name);
  const uses = list ? (chosen ?? guessUses(list, names)) : [];
  const rows = list ? toRows(list, uses) : [];
  const take = (next: string) => {
    setText(next);
    setChosen(null);
  };
  const isPast = scheduledAt !== "" && Date.parse(scheduledAt) <= Date.now();
  return (
    <Page
      title={batchesText.newBatch}
      above={<BackToCalls to="/calls/batches" />}
      lead={mode === "test" ? batchesText.testLead : batchesText.liveLead}
    >
      <div className="space-y-5">
        <Card title={batchesText.batch}>
          <div className="grid gap-4 sm:grid-cols-3">
            <TextField
              label={batchesText.name}
              required
              maxLength={120}
              value={name}
              placeholder={batchesText.namePlaceholder}
              onChange={(event) => setName(event.target.value)}
            />
            <SelectField
              label={batchesText.agent}
              value={agent?.id ?? ""}
              onChange={(event) => setAgentId(event.target.value)}
            >
              {ready.map(({ id, name: agentName }) => (
                <option key={id} value={id}>
                  {agentName}
                </option>
              ))}
            </SelectField>
            <TextField
              label={batchesText.callAtOptional}
              type="datetime-local"
              value={scheduledAt}
              error={isPast ? batchesText.timeInPast : undefined}
              onChange={(event) => setScheduledAt(event.target.value)}
            />
          </div>
        </Card>
        <Card title={batchesText.numbers}>
          <ListInput text={text} onText={take} />
          {read && !read.ok ? (
            <div className="mt-3">
              <Notice tone="danger">{read.problem}</Notice>
            </div>
          ) : null}
        </Card>
        {list ? (
          <Card title={batchesText.columns}>
            <ColumnUses list={list} uses={uses} variables={names} onChange={setChosen} />
          </Card>
        ) : null}
        {list && agent ? (
          <CheckAndCall
            // A change of anything that was checked starts over.
            key={JSON.stringify([agent.id, text, uses])}
            mode={mode}
            rows={rows}
            common={{
              name: name.trim(),
              agentId: agent.id,
              ...(scheduledAt ? { scheduledAt: new Date(scheduledAt).toISOString() } : {}),
            }}
            hasNumbers={uses.some(({ kind }) => kind === "number")}
            canCall={name.trim() !== "" && !isPast}
          />
        ) : null}
      </div>
    </Page>
  );
}

/** A field to paste into, onto which a file can be dropped. */
function ListInput({ text, onText }: { readonly text: string; onText(text: string): void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (file) onText(await file.text());
  };
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  return (
    <div className="space-y-2">
      <label htmlFor={id} className="block text-sm text-ink-soft">
        {batchesText.listHint(BATCH_ROWS_MAX)}
      </label>
      <textarea
        id={id}
        value={text}
        rows={6}
        spellCheck={false}
        placeholder={batchesText.listExample}
        onChange={(event) => onText(event.target.value)}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event);
          void take(event.dataTransfer.files[0]);
        }}
        className={`${CONTROL} py-2 font-mono text-[0.8125rem] ${isOver ? "border-accent bg-accent-soft" : ""}`}
      />
      <label className="relative inline-flex cursor-pointer items-center gap-2 text-sm font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent">
        <FileUp aria-hidden="true" className="size-4" />
        {batchesText.chooseFile}
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={(event) => void take(event.target.files?.[0])}
          className="absolute inset-0 size-full cursor-pointer opacity-0 file:cursor-pointer"
        />
      </label>
    </div>
  );
}

interface ColumnUsesProps {
  readonly list: CallList;
  readonly uses: readonly ColumnUse[];
  readonly variables: readonly string[];
  onChange(uses: readonly ColumnUse[]): void;
}

const keyOfUse = (use: ColumnUse) => (use.kind === "variable" ? `variable:${use.name}` : use.kind);

function readUse(key: string): ColumnUse {
  if (key.startsWith("variable:")) return { kind: "variable", name: key.slice("variable:".length) };
  return { kind: key === "number" || key === "metadata" ? key : "ignore" };
}

/** What each column of the list is. The number and each variable come from one column. */
function ColumnUses({ list, uses, variables, onChange }: ColumnUsesProps) {
  const choose = (at: number, key: string) => {
    const isSingle = key === "number" || key.startsWith("variable:");
    onChange(
      uses.map((use, index): ColumnUse => {
        if (index === at) return readUse(key);
        return isSingle && keyOfUse(use) === key ? { kind: "metadata" } : use;
      }),
    );
  };
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {list.columns.map((column, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name.
        <li key={index} className="min-w-0 rounded-xl border border-line px-3 py-3">
          <p className="truncate text-sm font-medium">{column}</p>
          <p className="mb-2 truncate text-sm text-ink-soft">{list.lines[0]?.[index] || "–"}</p>
          <Select
            aria-label={batchesText.columnUse(column)}
            value={keyOfUse(uses[index] ?? { kind: "ignore" })}
            onChange={(event) => choose(index, event.target.value)}
          >
            <option value="number">{batchesText.phoneNumber}</option>
            {variables.map((variable) => (
              <option key={variable} value={`variable:${variable}`}>
                {batchesText.variable(variable)}
              </option>
            ))}
            <option value="metadata">{batchesText.metadata}</option>
            <option value="ignore">{batchesText.ignore}</option>
          </Select>
        </li>
      ))}
    </ul>
  );
}

type Checked = BatchCheck["rows"][number];

interface CheckAndCallProps {
  readonly mode: Mode;
  readonly rows: readonly ListRow[];
  readonly common: { readonly name: string; readonly agentId: string; readonly scheduledAt?: string };
  readonly hasNumbers: boolean;
  readonly canCall: boolean;
}

const SHOWN_MAX = 50;
const MISSING = "missing_variable";

/** Checks the rows in parts, shows what is wrong with which, and places the others. */
function CheckAndCall({ mode, rows, common, hasNumbers, canCall }: CheckAndCallProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const keyOf = useIdempotencyKeys();
  const [checked, setChecked] = useState<readonly Checked[]>([]);
  const [isCharged, setCharged] = useState(false);
  const [mayMiss, setMayMiss] = useState(false);
  const check = useMutation({
    mutationFn: async () => {
      let all: Checked[] = [];
      for (let at = 0; at < rows.length; at += CHECKED_ROWS_MAX) {
        const part = rows.slice(at, at + CHECKED_ROWS_MAX);
        const body = {
          agentId: common.agentId,
          rows: part.map(({ phoneNumber, variables }) => ({ phoneNumber: phoneNumber.slice(0, 64), variables })),
        };
        const result = await send(checkBatch, { mode, body });
        all = [...all, ...result.rows];
        setCharged((before) => before || result.charged);
        setChecked(markRepeated(rows, all));
      }
    },
  });
  const isGood = (row: Checked | undefined) => row?.problems.every(({ code }) => mayMiss && code === MISSING) ?? false;
  const good = rows.filter((_, index) => isGood(checked[index]));
  const bad = checked.flatMap((row, index) => (isGood(row) ? [] : [{ index, row }]));
  const incomplete = checked.filter(
    ({ problems }) => problems.length > 0 && problems.every(({ code }) => code === MISSING),
  ).length;
  const create = useMutation({
    mutationFn: () => {
      const body = { ...common, rows: good.map((row) => ({ ...row })) };
      return send(createBatch, { mode, idempotencyKey: keyOf(body), body });
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: BATCHES_KEY });
      await navigate({ to: "/calls/batches/$batchId", params: { batchId: id } });
    },
  });
  const isChecked = checked.length === rows.length && !check.isPending;
  const waiting = checked.filter((row) => isGood(row) && row.waitsUntil !== null).length;
  return (
    <Card title={batchesText.check}>
      <div className="space-y-4">
        {check.error ? <Notice tone="danger">{errorText(check.error)}</Notice> : null}
        {create.error ? <Notice tone="danger">{errorText(create.error)}</Notice> : null}
        {hasNumbers ? null : <Notice tone="warning">{batchesText.noNumberColumn}</Notice>}
        <p role="status" className="text-sm">
          {check.isPending ? batchesText.checkProgress(checked.length, rows.length) : null}
          {isChecked ? summaryOf(good.length, bad.length, waiting, isCharged ? dearest(checked) : null) : null}
          {!check.isPending && !isChecked ? batchesText.notCheckedYet(rows.length) : null}
        </p>
        {incomplete > 0 ? (
          <Checkbox
            label={batchesText.mayMissValues(incomplete)}
            hint={batchesText.mayMissValuesHint}
            checked={mayMiss}
            onChange={(event) => setMayMiss(event.target.checked)}
          />
        ) : null}
        {bad.length > 0 ? (
          <ul
            aria-label={batchesText.rowsWithProblems}
            className="divide-y divide-line rounded-xl border border-line text-sm"
          >
            {bad.slice(0, SHOWN_MAX).map(({ index, row }) => (
              <li key={index} className="flex flex-wrap gap-x-4 gap-y-1 px-3 py-2">
                <span className="text-ink-soft tabular-nums">{batchesText.row(index + 1)}</span>
                <span className="font-medium tabular-nums">{rows[index]?.phoneNumber || batchesText.noNumber}</span>
                <span className="text-danger-text">{row.problems.map(batchesText.problem).join(" ")}</span>
              </li>
            ))}
            {bad.length > SHOWN_MAX ? (
              <li className="px-3 py-2 text-ink-soft">{batchesText.moreRowsWithProblems(bad.length - SHOWN_MAX)}</li>
            ) : null}
          </ul>
        ) : null}
        <div className="flex flex-wrap gap-2">
          <Button
            look={isChecked ? "secondary" : "primary"}
            disabled={!hasNumbers}
            isBusy={check.isPending}
            onClick={() => check.mutate()}
          >
            {isChecked ? batchesText.checkAgain : batchesText.checkRows(rows.length)}
          </Button>
          {isChecked && good.length > 0 ? (
            <Button look="primary" disabled={!canCall} isBusy={create.isPending} onClick={() => create.mutate()}>
              {common.scheduledAt ? batchesText.scheduleCalls(good.length) : batchesText.placeCalls(good.length)}
            </Button>
          ) : null}
        </div>
        {isChecked && !canCall ? <p className="text-sm text-ink-soft">{batchesText.nameMissing}</p> : null}
      </div>
    </Card>
  );
}

/** The service sees a part of the list at a time; a number may be repeated in another part. */
function markRepeated(rows: readonly Pick<ListRow, "phoneNumber">[], checked: readonly Checked[]): Checked[] {
  const seen = new Set<string>();
  return checked.map((row, index) => {
    const number = rows[index]?.phoneNumber ?? "";
    const isRepeated = seen.has(number) && !row.problems.some(({ code }) => code === "duplicate");
    seen.add(number);
    if (!isRepeated || number === "") return row;
    const problem = { code: "duplicate", message: batchesText.repeatedNumber };
    return { ...row, problems: [...row.problems, problem] };
  });
}

function dearest(checked: readonly Checked[]): string | null {
  const prices = checked.flatMap(({ perMinute }) => (perMinute === null ? [] : [perMinute]));
  return prices.sort((a, b) => Number(b) - Number(a))[0] ?? null;
}

function summaryOf(good: number, bad: number, waiting: number, perMinute: string | null): string {
  return [
    batchesText.rowsReady(good),
    ...(bad > 0 ? [batchesText.rowsLeftOut(bad)] : []),
    ...(waiting > 0 ? [batchesText.waitForCallingHours(waiting)] : []),
    ...(perMinute !== null && Number(perMinute) > 0 ? [batchesText.upToPerMinute(formatUsd(perMinute))] : []),
  ].join(" ");
}
