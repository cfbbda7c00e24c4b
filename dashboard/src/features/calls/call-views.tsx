import { createCallView, deleteCallView } from "@parley/contract/routes/calls";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bookmark, Columns3, Trash2 } from "lucide-react";
import { useState } from "react";
import { errorText } from "../../api/api-error.ts";
import { send } from "../../api/send.ts";
import { callKeys } from "../../app/live-keys.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { useToast } from "../../ui/feedback/toast.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../ui/layout/dialog.tsx";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLabel, MenuLine } from "../../ui/layout/menu.tsx";
import { CALL_COLUMNS, type CallsLayout } from "./call-columns.ts";
import { type CallFilter, isNarrowed, readCallFilter } from "./call-filter.ts";
import { callViewsQuery } from "./call-queries.ts";
import { callsText } from "./text.ts";

interface CallViewsProps {
  readonly filter: CallFilter;
  onOpen(filter: CallFilter): void;
}

/** The saved views of the account: open one, save the current filters, delete one. */
export function CallViews({ filter, onOpen }: CallViewsProps) {
  const { data: views = [] } = useQuery(callViewsQuery);
  const [dialog, setDialog] = useState<"save" | "manage" | null>(null);
  return (
    <>
      <Menu
        trigger={
          <Button size="small">
            <Bookmark aria-hidden="true" />
            {callsText.views}
          </Button>
        }
      >
        {views.length === 0 ? <MenuLabel>{callsText.noSavedViews}</MenuLabel> : null}
        {views.map(({ id, name, query }) => (
          <MenuItem key={id} onChoose={() => onOpen(readCallFilter(query))}>
            <span className="max-w-64 truncate">{name}</span>
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem onChoose={() => setDialog("save")}>{callsText.saveCurrentView}</MenuItem>
        {views.length > 0 ? <MenuItem onChoose={() => setDialog("manage")}>{callsText.deleteViews}</MenuItem> : null}
      </Menu>
      {dialog === "save" ? <SaveView filter={filter} onClose={() => setDialog(null)} /> : null}
      {dialog === "manage" ? <DeleteViews onClose={() => setDialog(null)} /> : null}
    </>
  );
}

function SaveView({ filter, onClose }: { readonly filter: CallFilter; onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState("");
  const { data: views = [] } = useQuery(callViewsQuery);
  const isKnown = views.some((view) => view.name === name.trim());
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(createCallView, { body: { name, query: { ...filter } } }),
    onSuccess: async (view) => {
      await queries.invalidateQueries({ queryKey: callKeys.views });
      toast({ text: callsText.viewSaved(view.name) });
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={callsText.saveView} lead={callsText.saveViewLead}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {isNarrowed(filter) ? null : <Notice tone="warning">{callsText.viewOfAllCalls}</Notice>}
        <TextField
          label={callsText.name}
          required
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint={isKnown ? callsText.replacesView : undefined}
        />
        <DialogActions>
          <Button onClick={onClose}>{callsText.cancel}</Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            {callsText.saveView}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function DeleteViews({ onClose }: { onClose(): void }) {
  const queries = useQueryClient();
  const toast = useToast();
  const { data: views = [] } = useQuery(callViewsQuery);
  const refresh = () => queries.invalidateQueries({ queryKey: callKeys.views });
  const { mutate } = useMutation({
    mutationFn: (view: (typeof views)[number]) => send(deleteCallView, { params: { id: view.id } }),
    onSuccess: async (_, { name, query }) => {
      await refresh();
      toast({
        text: callsText.viewDeleted(name),
        undo: () => void send(createCallView, { body: { name, query } }).then(refresh),
      });
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  return (
    <Dialog isOpen onClose={onClose} title={callsText.savedViews}>
      {views.length === 0 ? <p className="text-sm text-ink-soft">{callsText.noSavedViewsLeft}</p> : null}
      <ul className="divide-y divide-line">
        {views.map((view) => (
          <li key={view.id} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0 truncate">{view.name}</span>
            <Button
              look="quiet"
              size="smallIcon"
              aria-label={callsText.deleteView(view.name)}
              onClick={() => mutate(view)}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>{callsText.done}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface LayoutMenuProps {
  readonly layout: CallsLayout;
  onChange(changes: Partial<CallsLayout>): void;
}

/** Which columns are shown and how tall rows are. A phone shows neither. */
export function LayoutMenu({ layout, onChange }: LayoutMenuProps) {
  return (
    <div className="hidden lg:block">
      <Menu
        trigger={
          <Button size="small">
            <Columns3 aria-hidden="true" />
            {callsText.columns}
          </Button>
        }
      >
        <MenuLabel>{callsText.columns}</MenuLabel>
        {CALL_COLUMNS.map(({ id, label }) => (
          <MenuCheck
            key={id}
            isChecked={layout.columns.includes(id)}
            onToggle={(isChecked) =>
              onChange({
                columns: isChecked ? [...layout.columns, id] : layout.columns.filter((column) => column !== id),
              })
            }
          >
            {label}
          </MenuCheck>
        ))}
        <MenuLine />
        <MenuLabel>{callsText.rowHeight}</MenuLabel>
        <MenuChoice
          value={layout.density}
          choices={[
            { value: "comfortable", label: callsText.comfortable },
            { value: "compact", label: callsText.compact },
          ]}
          onChoose={(density) => onChange({ density })}
        />
      </Menu>
    </div>
  );
}
