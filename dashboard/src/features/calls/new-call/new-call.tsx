import { lazy, Suspense } from "react";
import type { CallLike } from "./new-call-dialog.tsx";

const NewCallDialog = lazy(async () => ({ default: (await import("./new-call-dialog.tsx")).NewCallDialog }));

/** The dialog that places a call, loaded when it is first opened. */
export function NewCall({ like, onClose }: { readonly like?: CallLike; onClose(): void }) {
  return (
    <Suspense>
      <NewCallDialog {...(like ? { like } : {})} onClose={onClose} />
    </Suspense>
  );
}
