import type { Call } from "@parley/contract/calls";
import { useState } from "react";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Snippets } from "../../snippets/snippets.tsx";
import type { SnippetRequest } from "../../snippets/write-snippet.ts";
import { callPageText } from "./text.tsx";

const PURPOSES = ["place", "read"] as const;
type Purpose = (typeof PURPOSES)[number];

/** How a program places this call again, or reads it. */
export function CallSnippets({ call }: { readonly call: Call }) {
  const [purpose, setPurpose] = useState<Purpose>("place");
  return (
    <Card
      title={callPageText.useFromCode}
      aside={
        <Segmented
          label={callPageText.codePurpose}
          value={purpose}
          choices={PURPOSES.map((value) => ({ value, label: callPageText.codePurposes[value] }))}
          onChoose={(next) => setPurpose(next)}
        />
      }
    >
      <Snippets label={callPageText.codeLabels[purpose]} request={requestOf(purpose, call)} />
    </Card>
  );
}

function requestOf(purpose: Purpose, call: Call): SnippetRequest {
  if (purpose === "read") return { method: "GET", path: `/api/v1/calls/${call.id}` };
  const { phoneNumber, agentId, engine, from, variables, metadata } = call;
  const isAny = (values: Readonly<Record<string, string>>) => Object.keys(values).length > 0;
  return {
    method: "POST",
    path: "/api/v1/calls",
    body: {
      ...{ phoneNumber, agentId, engine },
      ...(from === null ? {} : { from }),
      ...(isAny(variables) ? { variables } : {}),
      ...(isAny(metadata) ? { metadata } : {}),
    },
  };
}
