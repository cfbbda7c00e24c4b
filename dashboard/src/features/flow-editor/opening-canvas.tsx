import { Skeleton } from "../../ui/skeleton.tsx";

/** The shape of a flow that is on its way. */
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
