import type { Mode } from "@parley/contract/shared-fields";
import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { buttonClass } from "../../../ui/forms/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { webhooksText } from "./text.tsx";

/** Also shown after switching the mode while an endpoint is open: it belongs to the other mode. */
export function NoEndpoint({ error, mode }: { readonly error: unknown; readonly mode: Mode }) {
  const isMissing = error instanceof ApiError && error.code === "not_found";
  if (!isMissing) return <Notice tone="danger">{errorText(error)}</Notice>;
  return (
    <Card isFlush>
      <EmptyState
        icon={<SearchX />}
        title={webhooksText.notFound(mode)}
        text={webhooksText.notFoundText}
        action={
          <Link to="/settings/webhooks" className={buttonClass({ look: "primary" })}>
            {webhooksText.allEndpoints}
          </Link>
        }
      />
    </Card>
  );
}
