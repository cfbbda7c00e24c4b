import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";

interface ToolbarButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isOff?: boolean;
  onClick(): void;
}

/** A button with a picture for a word, which is read out and shown to whoever waits over it. */
export function ToolbarButton({ label, icon, isOff = false, onClick }: ToolbarButtonProps) {
  return (
    <Button look="quiet" size="smallIcon" aria-label={label} title={label} disabled={isOff} onClick={onClick}>
      {icon}
    </Button>
  );
}
