import type { Agent } from "@parley/contract/agents";
import { Flow } from "@parley/contract/flow";
import { NewAgent } from "@parley/contract/new-agent";
import { useState } from "react";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, Field } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { versionsText } from "./text.tsx";

/** Imports an agent from a file. It replaces the draft, and can be undone. */
export function ImportDialog({ onRead, onClose }: { onRead(flow: Flow): void; onClose(): void }) {
  const [mistake, setMistake] = useState<string | undefined>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    const result = readAgentFile(await file.text());
    if (result.ok) onRead(result.flow);
    else setMistake(result.message);
  };
  return (
    <Dialog isOpen onClose={onClose} title={versionsText.importFile} lead={versionsText.importLead}>
      <Field label={versionsText.file} hint={versionsText.fileHint} error={mistake}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept="application/json,.json"
            onChange={({ target }) => void read(target.files?.[0])}
            className={`${CONTROL} py-2 text-sm`}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>{versionsText.cancel}</Button>
      </DialogActions>
    </Dialog>
  );
}

/** The exported document of an agent, which `POST /api/v1/agents` accepts unchanged. */
export function writeAgentFile({ name, description, engine, language }: Agent, flow: Flow): string {
  return `${JSON.stringify({ name, description, engine, language, flow }, null, 2)}\n`;
}

type ReadFile = { readonly ok: true; readonly flow: Flow } | { readonly ok: false; readonly message: string };

/** Reads an exported agent or a bare flow. Anything else is rejected with an explanation. */
export function readAgentFile(text: string): ReadFile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { ok: false, message: versionsText.notJson };
  }
  const isAgent = document !== null && typeof document === "object" && "flow" in document;
  const read = isAgent ? NewAgent.safeParse(document) : Flow.safeParse(document);
  if (read.success) {
    const flow = isAgent ? (read.data as NewAgent).flow : (read.data as Flow);
    return flow ? { ok: true, flow } : { ok: false, message: versionsText.noFlow };
  }
  const [issue] = read.error.issues;
  const place = issue?.path.join(".") ?? "";
  return { ok: false, message: versionsText.notAnAgent(place, issue?.message ?? "") };
}

/** Offers a text to the browser as a file download. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
