import { Link, useRouter } from "@tanstack/react-router";
import { Compass, Unplug } from "lucide-react";
import { errorText } from "../api/api-error.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { SkeletonRows } from "../ui/feedback/skeleton.tsx";
import { Button, buttonClass } from "../ui/forms/button.tsx";
import { appText } from "./text.tsx";

export function WaitingPage() {
  return (
    <div className="mx-auto max-w-6xl px-4 py-9 sm:px-8">
      <SkeletonRows count={5} label={appText.oneMoment} />
    </div>
  );
}

/** Shown when a page throws or its data cannot be loaded. */
export function ErrorPage({ error }: { readonly error: unknown }) {
  const router = useRouter();
  return (
    <main>
      <EmptyState
        icon={<Unplug />}
        title={appText.pageFailed}
        text={errorText(error)}
        action={
          <Button look="primary" onClick={() => void router.invalidate()}>
            {appText.tryAgain}
          </Button>
        }
      />
    </main>
  );
}

export function MissingPage() {
  return (
    <EmptyState
      isWholePage
      icon={<Compass />}
      title={appText.pageNotFound}
      text={appText.pageNotFoundHint}
      action={
        <Link to="/calls" className={buttonClass({ look: "primary" })}>
          {appText.goToCalls}
        </Link>
      }
    />
  );
}
