import type { Flow } from "@parley/contract/flow";
import { getAgent } from "@parley/contract/routes/agents";
import { createCall, getTranscript } from "@parley/contract/routes/calls";
import { TranscriptItem } from "@parley/contract/transcripts";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PhoneOutgoing } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { randomKey } from "../../../api/idempotency-keys.ts";
import { addressOf, send } from "../../../api/send.ts";
import { apiText } from "../../../api/text.ts";
import { Badge } from "../../../ui/feedback/badge.tsx";
import { Button, buttonClass } from "../../../ui/forms/button.tsx";
import { SelectField } from "../../../ui/forms/field.tsx";
import { badgeOf, END_REASON_LABELS } from "../../calls/call-labels.ts";
import { decisionWords } from "../../calls/call-page/decision-text.ts";
import { HangUp } from "../../calls/call-page/hang-up.tsx";
import { callQuery } from "../../calls/call-queries.ts";
import { isSameFlow } from "../model/compare-flows.ts";
import type { EditorStore, PathPoint } from "../model/editor-store.ts";
import { type SampleValues, useSampleValues } from "../sample-values.ts";
import { MakeScenario } from "../scenarios/make-scenario.tsx";
import { CollectedValues, TalkLines } from "./conversation-lines.tsx";
import { ExampleValues } from "./example-values.tsx";
import { editorTryText } from "./text.tsx";
import { agentLine, asideLine, calleeLine, type TryLine } from "./try-lines.ts";
import { TryRefusal } from "./try-refusal.tsx";

interface TryCallProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
}

/** A complete phone call with a simulated callee: real audio both ways, followed live. */
export function TryCall({ agentId, flow, store }: TryCallProps) {
  const samples = useSampleValues(agentId);
  const [digits, setDigits] = useState("0001");
  const [which, setWhich] = useState<"draft" | "published">("draft");
  const { data: agent } = useQuery(agentNowQuery(agentId));
  const version = agent?.publishedVersion ?? null;
  const { mutate, isPending, error, data, reset } = useMutation({
    mutationFn: async () => {
      if (which === "draft") await untilSaved(agentId, store);
      return send(createCall, {
        mode: "test",
        idempotencyKey: randomKey(),
        body: {
          agentId,
          phoneNumber: numberOf(digits),
          variables: known(samples, flow),
          ...(which === "draft" ? { agentVersion: "draft" as const } : {}),
        },
      });
    },
  });
  if (data) return <WatchedCall callId={data.id} flow={flow} store={store} onAgain={reset} />;
  return (
    <div className="space-y-4">
      <ExampleValues agentId={agentId} names={flow.variables} />
      <SelectField
        label={editorTryText.whoAnswers}
        value={digits}
        hint={editorTryText.byNumber(numberOf(digits))}
        onChange={({ target }) => setDigits(target.value)}
      >
        {SIMULATED_CALLEES.map(({ digits: one, who }) => (
          <option key={one} value={one}>
            {who}
          </option>
        ))}
      </SelectField>
      {version === null ? null : (
        <SelectField
          label={editorTryText.whichVersion}
          value={which}
          onChange={({ target }) => setWhich(target.value as typeof which)}
        >
          <option value="draft">{editorTryText.draftNow}</option>
          <option value="published">{editorTryText.publishedVersion(version)}</option>
        </SelectField>
      )}
      {error ? <TryRefusal error={error} flow={flow} store={store} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" isBusy={isPending} onClick={() => mutate()}>
          <PhoneOutgoing aria-hidden="true" />
          {editorTryText.call}
        </Button>
        <p className="text-sm text-ink-soft">
          {editorTryText.costsNothing((label) => (
            <Link to="/calls" className="underline">
              {label}
            </Link>
          ))}
        </p>
      </div>
    </div>
  );
}

function known(samples: SampleValues, flow: Flow): Record<string, string> {
  return Object.fromEntries(
    Object.entries(samples).filter(([name, value]) => value !== "" && flow.variables.includes(name)),
  );
}

const LOOKS_MAX = 8;
const LOOK_AGAIN_MS = 600;

/** A call uses the draft stored by the service, which lags slightly behind the page. */
async function untilSaved(agentId: string, store: EditorStore): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const { flow } = await send(getAgent, { params: { id: agentId } });
    if (isSameFlow(flow, store.getSnapshot().flow)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** The agent as stored by the service: another member may have published. */
const agentNowQuery = (id: string) =>
  queryOptions({
    queryKey: ["agent", id, "published"],
    queryFn: ({ signal }) => send(getAgent, { params: { id }, signal }),
    // Publishing happens outside this panel, which must not use the previous state.
    staleTime: 0,
  });

/** The simulated callees, by the last digits of the number. */
const SIMULATED_CALLEES: readonly { readonly digits: string; readonly who: string }[] = [
  { digits: "0001", who: editorTryText.friendly },
  { digits: "0010", who: editorTryText.interrupting },
  { digits: "0014", who: editorTryText.slow },
  { digits: "0016", who: editorTryText.backchannelling },
  { digits: "0011", who: editorTryText.hangingUp },
  { digits: "0009", who: editorTryText.silent },
  { digits: "0012", who: editorTryText.noisy },
  { digits: "0015", who: editorTryText.echo },
  { digits: "0017", who: editorTryText.holding },
  { digits: "0007", who: editorTryText.voicemail },
  { digits: "0018", who: editorTryText.callScreening },
  { digits: "0008", who: editorTryText.phoneMenuPressOne },
  { digits: "0019", who: editorTryText.fax },
  { digits: "0013", who: editorTryText.soundless },
  { digits: "0002", who: editorTryText.busy },
  { digits: "0003", who: editorTryText.noAnswer },
  { digits: "0004", who: editorTryText.declining },
  { digits: "0005", who: editorTryText.unknownNumber },
  { digits: "0006", who: editorTryText.failingNetwork },
];

/** A fictitious number with this ending. */
function numberOf(digits: string): string {
  return `+1555010${digits}`;
}

interface WatchedCallProps {
  readonly callId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
  onAgain(): void;
}

const NO_ITEMS: NumberedItems = new Map();
/** How often a call is polled while it rings: before the answer nothing is said. */
const RINGING_POLL_MS = 1000;

/** A simulated call as it happens, and its position in the flow. */
export function WatchedCall({ callId, flow, store, onAgain }: WatchedCallProps) {
  const queries = useQueryClient();
  const [items, setItems] = useState(NO_ITEMS);
  const { data: call } = useQuery({
    ...callQuery("test", callId),
    refetchInterval: ({ state }) => (state.data?.phase === "ended" ? false : RINGING_POLL_MS),
  });
  useEffect(
    () => followCall(callId, setItems, () => void queries.invalidateQueries(callQuery("test", callId))),
    [callId, queries],
  );
  const { lines, path } = useMemo(() => linesOfTranscript(items.values(), flow), [items, flow]);
  const isOver = call?.phase === "ended";
  useEffect(() => {
    store.setPath(path);
    store.setActiveNode(isOver ? null : (path.at(-1)?.nodeId ?? null));
  }, [store, path, isOver]);
  useEffect(
    () => () => {
      store.setActiveNode(null);
      store.setPath([]);
    },
    [store],
  );
  const badge = call ? badgeOf(call) : null;
  const collected = (call?.collected ?? {}) as Record<string, string | number | boolean | null>;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2.5">
        <span role="status" className="flex flex-wrap items-center gap-2.5 text-sm">
          {badge ? (
            <Badge tone={badge.tone} isLive={badge.isLive}>
              {badge.text}
            </Badge>
          ) : null}
          {call?.endReason ? <span className="text-ink-soft">{END_REASON_LABELS[call.endReason]}</span> : null}
        </span>
        <span className="ml-auto flex gap-2">
          {call && !isOver ? <HangUp call={call} /> : null}
          {isOver ? (
            <Button size="small" onClick={onAgain}>
              <PhoneOutgoing aria-hidden="true" />
              {editorTryText.callAgain}
            </Button>
          ) : null}
        </span>
      </div>
      <TalkLines lines={lines} callee={editorTryText.calleeSaid} onVisit={(nodeId) => store.goTo(nodeId)} />
      {isOver ? (
        <div className="flex flex-wrap gap-2">
          <Link to="/calls/$callId" params={{ callId }} className={buttonClass({ size: "small" })}>
            {editorTryText.openCall}
          </Link>
          <MakeScenario callId={callId} mode="test" size="small" />
        </div>
      ) : null}
      <CollectedValues values={collected} />
    </div>
  );
}

/** The items of a transcript by their numbers, which are their order. */
type NumberedItems = ReadonlyMap<number, TranscriptItem>;

/** Follows a test call until it is over. Returns a function that stops it. */
function followCall(callId: string, onItems: (items: NumberedItems) => void, onReady: () => void): () => void {
  const items = new Map<number, TranscriptItem>();
  const source = new EventSource(addressOf(getTranscript, { params: { id: callId }, mode: "test" }));
  const notify = () => onItems(new Map([...items].toSorted(([one], [other]) => one - other)));
  source.addEventListener("item", ({ data }) => {
    const { number, item } = JSON.parse(data) as { readonly number: number; readonly item: unknown };
    const read = TranscriptItem.safeParse(item);
    // An item that is unknown to this release of the page is skipped.
    if (!read.success) return;
    items.set(number, read.data);
    notify();
  });
  source.addEventListener("removed", ({ data }) => {
    items.delete((JSON.parse(data) as { readonly number: number }).number);
    notify();
  });
  // Otherwise the browser would reconnect and receive everything again.
  source.addEventListener("ready", () => {
    source.close();
    onReady();
  });
  return () => source.close();
}

/** What was said and done in a call, as the lines of a try, and the nodes it went through. */
export function linesOfTranscript(
  items: Iterable<TranscriptItem>,
  flow: Pick<Flow, "nodes">,
): {
  readonly lines: readonly TryLine[];
  readonly path: readonly PathPoint[];
} {
  const lines: TryLine[] = [];
  const path: PathPoint[] = [];
  for (const item of items) {
    switch (item.type) {
      case "node":
        path.push({ nodeId: item.nodeId, exit: item.exit });
        break;
      case "speech":
        lines.push(
          item.role === "agent" ? agentLine(item.text, { nodeId: path.at(-1)?.nodeId ?? null }) : calleeLine(item.text),
        );
        if (item.interrupted && item.role === "agent")
          lines.push(asideLine(editorTryText.calleeHadHeard(item.heardText)));
        break;
      case "tool_call":
        lines.push(asideLine(editorTryText.toolAsked(item.name)));
        break;
      case "tool_result":
        lines.push(asideLine(editorTryText.toolAnswered(item.name, item.ok, false), { isWrong: !item.ok }));
        break;
      case "dtmf":
        lines.push(asideLine(editorTryText.pressed(item.by, item.key)));
        break;
      case "decision":
        lines.push(asideLine(decisionWords(item, flow)));
        break;
      case "note":
        lines.push(asideLine(apiText.wordNote(item.text)));
    }
  }
  return { lines, path };
}
