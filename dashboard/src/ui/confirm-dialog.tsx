import type { ReactNode } from "react";
import { inWords } from "../api/refusal.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Notice } from "./notice.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly lead: ReactNode;
  /** What the two buttons say: what is left alone, and what is done. */
  readonly keep: string;
  readonly confirm: string;
  readonly isHarmless?: boolean;
  readonly isBusy: boolean;
  readonly error?: unknown;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, lead, keep, confirm, isHarmless = false, isBusy, error, onConfirm, onClose } = props;
  return (
    <Dialog isOpen onClose={onClose} title={title} lead={lead}>
      {error ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>{keep}</Button>
        <Button look={isHarmless ? "primary" : "danger"} onClick={onConfirm} isBusy={isBusy}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
