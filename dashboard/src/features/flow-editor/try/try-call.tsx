import type { Flow } from "@parley/contract/flow";
import { getAgent } from "@parley/contract/routes/agents";
import { createCall } from "@parley/contract/routes/calls";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PhoneOutgoing } from "lucide-react";
import { useState } from "react";
import { randomKey } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { SelectField } from "../../../ui/forms/field.tsx";
import { isSameFlow } from "../model/compare-flows.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { type SampleValues, useSampleValues } from "../sample-values.ts";
import { ExampleValues } from "./example-values.tsx";
import { TryRefusal } from "./try-refusal.tsx";
import { WatchedCall } from "./watched-call.tsx";

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
  if (data) return <WatchedCall callId={data.id} store={store} onAgain={reset} />;
  return (
    <div className="space-y-4">
      <ExampleValues agentId={agentId} names={flow.variables} />
      <SelectField
        label="Who answers"
        value={digits}
        hint={`By the last digits: ${numberOf(digits)}`}
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
          label="Which version"
          value={which}
          onChange={({ target }) => setWhich(target.value as typeof which)}
        >
          <option value="draft">The draft, as it is now</option>
          <option value="published">Version {version}, which is published</option>
        </SelectField>
      )}
      {error ? <TryRefusal error={error} flow={flow} store={store} /> : null}
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" isBusy={isPending} onClick={() => mutate()}>
          <PhoneOutgoing aria-hidden="true" />
          Call
        </Button>
        <p className="text-sm text-ink-soft">
          It costs nothing, and is kept among the{" "}
          <Link to="/calls" className="underline">
            test calls
          </Link>
          .
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
  { digits: "0001", who: "A friendly person" },
  { digits: "0010", who: "Somebody who interrupts" },
  { digits: "0014", who: "Somebody who speaks slowly, with long pauses" },
  { digits: "0016", who: "Somebody who says “mhm” meanwhile" },
  { digits: "0011", who: "Somebody who hangs up mid-sentence" },
  { digits: "0009", who: "Somebody who stays silent" },
  { digits: "0012", who: "A person on a noisy line" },
  { digits: "0015", who: "A line with an echo" },
  { digits: "0017", who: "Somebody who puts the agent on hold" },
  { digits: "0007", who: "A voicemail" },
  { digits: "0018", who: "Call screening" },
  { digits: "0008", who: "A phone menu (press 1)" },
  { digits: "0019", who: "A fax machine" },
  { digits: "0013", who: "An answer without any sound" },
  { digits: "0002", who: "Busy" },
  { digits: "0003", who: "Nobody answers" },
  { digits: "0004", who: "Somebody who declines" },
  { digits: "0005", who: "A number that does not exist" },
  { digits: "0006", who: "A network that fails" },
];

/** A fictitious number with this ending. */
function numberOf(digits: string): string {
  return `+1555010${digits}`;
}
