import type { Flow } from "@parley/contract/flow";
import { getAgent } from "@parley/contract/routes/agents";
import { createCall } from "@parley/contract/routes/calls";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PhoneOutgoing } from "lucide-react";
import { useState } from "react";
import { freshKey } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/field.tsx";
import type { EditorStore } from "../model/editor-store.ts";
import { isSameFlow } from "../model/same-flow.ts";
import { type SampleValues, useSampleValues } from "../sample-values.ts";
import { agentNowQuery } from "./agent-now-query.ts";
import { ExampleValues } from "./example-values.tsx";
import { numberOf, SIMULATED_CALLEES } from "./simulated-callees.ts";
import { TryRefusal } from "./try-refusal.tsx";
import { WatchedCall } from "./watched-call.tsx";

interface TryCallProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly store: EditorStore;
}

/** A whole phone call with somebody who is simulated: real sound both ways, watched as it happens. */
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
        idempotencyKey: freshKey(),
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

/** A call uses the draft that the service has, which follows what is on the page by a moment. */
async function untilSaved(agentId: string, store: EditorStore): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const { flow } = await send(getAgent, { params: { id: agentId } });
    if (isSameFlow(flow, store.getSnapshot().flow)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
