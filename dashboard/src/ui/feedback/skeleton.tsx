/** A placeholder for content that is loading. It is hidden from screen readers: the component that shows it announces the loading once. */
export function Skeleton({ className }: { readonly className: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded-md bg-sunken ${className}`} />;
}

export function SkeletonRows({ count, label }: { readonly count: number; readonly label: string }) {
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={index} className="flex items-center gap-6 px-4 py-4 sm:px-5">
          <Skeleton className="h-4 w-36" />
          <Skeleton className="hidden h-4 flex-1 sm:block" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
