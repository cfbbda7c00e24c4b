import { Workflow } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";

interface EmptyCanvasProps {
  onStart(): void;
  onTemplate(): void;
  onImport(): void;
}

/** What stands where nothing was built yet. */
export function EmptyCanvas({ onStart, onTemplate, onImport }: EmptyCanvasProps) {
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center p-4">
      <div className="pointer-events-auto rounded-2xl border border-line bg-surface shadow-sm">
        <EmptyState
          icon={<Workflow />}
          title="What shall the agent do?"
          text="Begin with where the call starts and the first thing that is said. Drag more from the left, or press A."
          action={
            <>
              <Button look="primary" onClick={onStart}>
                Start with a greeting
              </Button>
              <Button onClick={onTemplate}>Use a template</Button>
              <Button onClick={onImport}>Import a file</Button>
            </>
          }
        />
      </div>
    </div>
  );
}
