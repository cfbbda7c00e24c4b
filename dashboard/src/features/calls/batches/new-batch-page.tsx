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
import { useMode } from "../../../app/mode.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { formatUsd } from "../../../ui/format.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Checkbox, CONTROL, Select, SelectField, TextField } from "../../../ui/forms/field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { BackToCalls } from "../back-to-calls.tsx";
import { callVariablesQuery } from "../new-call-queries.ts";
import { BATCHES_KEY } from "./batch-queries.ts";
import { type CallList, type ColumnUse, guessUses, type ListRow, readList, toRows } from "./read-list.ts";

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
      title="New batch"
      above={<BackToCalls to="/calls/batches" />}
      lead={mode === "test" ? "Goes to the simulated network and is free." : "Each call is charged to your credit."}
    >
      <div className="space-y-5">
        <Card title="Batch">
          <div className="grid gap-4 sm:grid-cols-3">
            <TextField
              label="Name"
              required
              maxLength={120}
              value={name}
              placeholder="Reminders for Monday"
              onChange={(event) => setName(event.target.value)}
            />
            <SelectField label="Agent" value={agent?.id ?? ""} onChange={(event) => setAgentId(event.target.value)}>
              {ready.map(({ id, name: agentName }) => (
                <option key={id} value={id}>
                  {agentName}
                </option>
              ))}
            </SelectField>
            <TextField
              label="Call at (optional)"
              type="datetime-local"
              value={scheduledAt}
              error={isPast ? "Choose a time in the future." : undefined}
              onChange={(event) => setScheduledAt(event.target.value)}
            />
          </div>
        </Card>
        <Card title="Numbers">
          <ListInput text={text} onText={take} />
          {read && !read.ok ? (
            <div className="mt-3">
              <Notice tone="danger">{read.problem}</Notice>
            </div>
          ) : null}
        </Card>
        {list ? (
          <Card title="Columns">
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
        Paste a list of up to {BATCH_ROWS_MAX.toLocaleString()} rows, or drop a CSV file here. One column has the phone
        numbers with their country codes.
      </label>
      <textarea
        id={id}
        value={text}
        rows={6}
        spellCheck={false}
        placeholder={"phone,first_name\n+15550100001,Ada\n+15550100010,Grace"}
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
        Choose a file
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
            aria-label={`Use of ${column}`}
            value={keyOfUse(uses[index] ?? { kind: "ignore" })}
            onChange={(event) => choose(index, event.target.value)}
          >
            <option value="number">Phone number</option>
            {variables.map((variable) => (
              <option key={variable} value={`variable:${variable}`}>
                Variable {variable}
              </option>
            ))}
            <option value="metadata">Metadata</option>
            <option value="ignore">Ignore</option>
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
    <Card title="Check">
      <div className="space-y-4">
        {check.error ? <Notice tone="danger">{errorText(check.error)}</Notice> : null}
        {create.error ? <Notice tone="danger">{errorText(create.error)}</Notice> : null}
        {hasNumbers ? null : <Notice tone="warning">Choose the column that has the phone numbers.</Notice>}
        <p role="status" className="text-sm">
          {check.isPending ? `Checked ${checked.length} of ${rows.length} rows…` : null}
          {isChecked ? summaryOf(good.length, bad.length, waiting, isCharged ? dearest(checked) : null) : null}
          {!check.isPending && !isChecked ? `${rows.length} rows. Check them before anyone is called.` : null}
        </p>
        {incomplete > 0 ? (
          <Checkbox
            label={`Also call the ${incomplete} ${incomplete === 1 ? "row" : "rows"} with missing values`}
            hint="The agent leaves missing values out of its sentences."
            checked={mayMiss}
            onChange={(event) => setMayMiss(event.target.checked)}
          />
        ) : null}
        {bad.length > 0 ? (
          <ul aria-label="Rows with problems" className="divide-y divide-line rounded-xl border border-line text-sm">
            {bad.slice(0, SHOWN_MAX).map(({ index, row }) => (
              <li key={index} className="flex flex-wrap gap-x-4 gap-y-1 px-3 py-2">
                <span className="text-ink-soft tabular-nums">Row {index + 1}</span>
                <span className="font-medium tabular-nums">{rows[index]?.phoneNumber || "No number"}</span>
                <span className="text-danger-text">{row.problems.map(({ message }) => message).join(" ")}</span>
              </li>
            ))}
            {bad.length > SHOWN_MAX ? (
              <li className="px-3 py-2 text-ink-soft">And {bad.length - SHOWN_MAX} more rows with problems.</li>
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
            {isChecked ? "Check again" : `Check ${rows.length} rows`}
          </Button>
          {isChecked && good.length > 0 ? (
            <Button look="primary" disabled={!canCall} isBusy={create.isPending} onClick={() => create.mutate()}>
              {`${common.scheduledAt ? "Schedule" : "Place"} ${good.length} ${good.length === 1 ? "call" : "calls"}`}
            </Button>
          ) : null}
        </div>
        {isChecked && !canCall ? <p className="text-sm text-ink-soft">Give the batch a name first.</p> : null}
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
    const problem = { code: "duplicate", message: "The number occurs earlier in the list." };
    return { ...row, problems: [...row.problems, problem] };
  });
}

function dearest(checked: readonly Checked[]): string | null {
  const prices = checked.flatMap(({ perMinute }) => (perMinute === null ? [] : [perMinute]));
  return prices.sort((a, b) => Number(b) - Number(a))[0] ?? null;
}

function summaryOf(good: number, bad: number, waiting: number, perMinute: string | null): string {
  return [
    `${good} ${good === 1 ? "row is" : "rows are"} ready to call.`,
    ...(bad > 0 ? [`${bad} ${bad === 1 ? "row has a problem and is" : "rows have problems and are"} left out.`] : []),
    ...(waiting > 0 ? [`${waiting} will wait for calling hours.`] : []),
    ...(perMinute !== null && Number(perMinute) > 0 ? [`Up to ${formatUsd(perMinute)} per minute.`] : []),
  ].join(" ");
}
