import { lazy, Suspense } from "react";

const NewCallDialog = lazy(async () => ({ default: (await import("./new-call-dialog.tsx")).NewCallDialog }));

/** The dialog that places a call, loaded when it is first opened. */
export function NewCall({ onClose }: { onClose(): void }) {
  return (
    <Suspense>
      <NewCallDialog onClose={onClose} />
    </Suspense>
  );
}
