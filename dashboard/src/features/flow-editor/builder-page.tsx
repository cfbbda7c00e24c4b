import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, Workflow } from "lucide-react";
import { useDeferredValue } from "react";
import { inWords } from "../../api/api-error.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Builder } from "./builder.tsx";
import { OpeningCanvas } from "./canvas/empty-canvas.tsx";
import { openedAgentQuery } from "./editor-queries.ts";

const route = getRouteApi("/signed-in/agents/$agentId/build");

/** Where an agent is built. */
export function BuilderPage() {
  const { agentId } = route.useParams();
  const { call } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error } = useQuery(openedAgentQuery(agentId));
  // A large flow is drawn in small pieces of time, between which the page answers.
  const opened = useDeferredValue(data);
  if (opened) {
    return (
      <Builder
        key={agentId}
        opened={opened}
        callId={call ?? null}
        // Going back in the browser shows the path again.
        onClosePath={() => void navigate({ search: {} })}
      />
    );
  }
  if (!error) return <OpeningCanvas label="Opening the agent" />;
  return (
    <Page title="Agent">
      <Link to="/agents" className="mb-3 inline-flex items-center gap-1.5 text-sm text-ink-soft hover:text-ink">
        <ArrowLeft aria-hidden="true" className="size-4" />
        Agents
      </Link>
      <div className="rounded-2xl border border-line bg-surface">
        <EmptyState icon={<Workflow />} title="The agent could not be opened" text={inWords(error)} />
      </div>
    </Page>
  );
}
