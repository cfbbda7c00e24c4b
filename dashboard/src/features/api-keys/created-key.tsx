import type { CreatedApiKey } from "@parley/contract/api-keys";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { agentsQuery } from "../calls/agent-queries.ts";

interface CreatedKeyProps {
  readonly created: CreatedApiKey;
  onClose(): void;
}

/** The one time a key can be seen. */
export function CreatedKey({ created, onClose }: CreatedKeyProps) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const agentId = agents.find(({ publishedVersion }) => publishedVersion !== null)?.id ?? "YOUR_AGENT_ID";
  return (
    <>
      <div className="space-y-5">
        <Notice tone="warning">
          Copy it now. It cannot be shown again or recovered once this dialog is closed; you would have to make another.
        </Notice>
        <CopyField label="API key" value={created.key} />
        <CopyField label="Place a call with it" value={curlLine(created.key, agentId)} isLong />
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </>
  );
}

function curlLine(key: string, agentId: string): string {
  const body = JSON.stringify({ phoneNumber: "+15550100001", agentId, engine: "local" });
  return [
    `curl ${location.origin}/api/v1/calls \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join("\n");
}
