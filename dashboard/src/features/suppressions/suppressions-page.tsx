import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { ListPlus, PhoneOff, Plus, SearchX } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CONTROL } from "../../ui/control.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Paged } from "../../ui/paged.tsx";
import { AddNumberDialog } from "./add-number-dialog.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { SuppressionList } from "./suppression-list.tsx";
import { suppressionsQuery } from "./suppression-queries.ts";

/** Settings > Suppression list: numbers that are never called. */
export function SuppressionsPage() {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState<"add" | "import" | null>(null);
  const startsWith = prefixOf(typed);
  const list = useInfiniteQuery({ ...suppressionsQuery(startsWith), placeholderData: keepPreviousData });
  const add = (
    <>
      <Button onClick={() => setOpen("import")}>
        <ListPlus aria-hidden="true" />
        Import
      </Button>
      <Button look="primary" onClick={() => setOpen("add")}>
        <Plus aria-hidden="true" />
        Add number
      </Button>
    </>
  );
  return (
    <Page
      title="Suppression list"
      lead="No call of this account reaches these numbers, not even one that was accepted before."
      actions={add}
    >
      <Card isFlush>
        <div className="px-4 py-4 sm:px-5">
          <input
            type="search"
            inputMode="tel"
            aria-label="Find numbers by how they begin"
            placeholder="Begins with +49 30…"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            className={`${CONTROL} h-10 sm:max-w-xs`}
          />
        </div>
        <Paged
          list={list}
          label="Fetching the numbers"
          empty={
            startsWith === "" ? (
              <EmptyState
                icon={<PhoneOff />}
                title="Nobody is on the list"
                text="Whoever asks an agent not to be called again is put here by itself. You can add numbers, or paste a list you have."
              />
            ) : (
              <EmptyState
                icon={<SearchX />}
                title="No such number"
                text={`None on the list begins with ${startsWith}.`}
              />
            )
          }
        >
          {(rows) => <SuppressionList rows={rows} />}
        </Paged>
      </Card>
      {open === "add" ? <AddNumberDialog onClose={() => setOpen(null)} /> : null}
      {open === "import" ? <ImportDialog onClose={() => setOpen(null)} /> : null}
    </Page>
  );
}

/** What a number begins with, out of whatever was typed. */
function prefixOf(typed: string): string {
  const digits = typed
    .replace(/^\s*00/, "")
    .replaceAll(/\D/g, "")
    .slice(0, 15);
  return digits === "" ? "" : `+${digits}`;
}
