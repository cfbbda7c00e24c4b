import { Workflow } from "lucide-react";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Skeleton } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { editorCanvasText } from "./text.ts";

interface EmptyCanvasProps {
  onStart(): void;
  onTemplate(): void;
  onDescribe(): void;
  onImport(): void;
}

/** Shown while the flow is empty. */
export function EmptyCanvas({ onStart, onTemplate, onDescribe, onImport }: EmptyCanvasProps) {
  return (
    <div className="pointer-events-none absolute inset-0 grid place-items-center p-4">
      <div className="pointer-events-auto rounded-2xl border border-line bg-surface shadow-sm">
        <EmptyState
          icon={<Workflow />}
          title={editorCanvasText.emptyTitle}
          text={editorCanvasText.emptyText}
          action={
            <>
              <Button look="primary" onClick={onStart}>
                {editorCanvasText.startWithGreeting}
              </Button>
              <Button onClick={onTemplate}>{editorCanvasText.useTemplate}</Button>
              <Button onClick={onDescribe}>{editorCanvasText.describeIt}</Button>
              <Button onClick={onImport}>{editorCanvasText.importFile}</Button>
            </>
          }
        />
      </div>
    </div>
  );
}

/** A placeholder for a flow that is loading. */
export function OpeningCanvas({ label }: { readonly label: string }) {
  return (
    <div role="status" className="p-6">
      <span className="sr-only">{label}</span>
      <Skeleton className="h-9 w-72" />
      <div className="mt-16 flex gap-16">
        <Skeleton className="h-24 w-56" />
        <Skeleton className="mt-8 h-32 w-56" />
        <Skeleton className="hidden h-24 w-56 sm:block" />
      </div>
    </div>
  );
}
