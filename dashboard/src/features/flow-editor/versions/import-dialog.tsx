import type { Flow } from "@parley/contract/flow";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { CONTROL, Field } from "../../../ui/field.tsx";
import { readAgentFile } from "./agent-file.ts";

/** Takes an agent from a file. It takes the place of the draft, and can be undone. */
export function ImportDialog({ onRead, onClose }: { onRead(flow: Flow): void; onClose(): void }) {
  const [mistake, setMistake] = useState<string | undefined>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    const result = readAgentFile(await file.text());
    if (result.ok) onRead(result.flow);
    else setMistake(result.message);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Import a file"
      lead="An agent that was exported here, or the document that the API takes. It takes the place of this draft; undo brings yours back."
    >
      <Field label="File" hint="JSON, up to 2 MB." error={mistake}>
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
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  );
}
