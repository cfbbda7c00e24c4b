import type { Agent, AgentChanges } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { FlowSettings } from "@parley/contract/flow-settings";
import type { FlowProblem } from "@parley/flow/problem";
import { type ReactNode, useMemo } from "react";
import { Notice } from "../../../ui/notice.tsx";
import { FieldEditor } from "../fields/field-editor.tsx";
import { type FieldScope, FieldScopeProvider } from "../fields/field-scope.tsx";
import { Fields } from "../fields/group-field.tsx";
import { namesInSettings } from "../fields/names-at.ts";
import { homelessProblems, problemsBelow } from "../fields/problems-at.ts";
import { fieldsOf } from "../fields/schema-fields.ts";
import { setAt } from "../fields/set-at.ts";
import { shownPaths } from "../fields/shown-paths.ts";
import { AgentFacts } from "./agent-facts.tsx";
import { DisclosureField } from "./disclosure-field.tsx";
import { PhraseList } from "./phrase-list.tsx";
import { ToolsSection } from "./tools-section.tsx";
import { VariablesSection } from "./variables-section.tsx";
import { VoiceChoice } from "./voice-choice.tsx";

interface FlowSettingsPanelProps {
  readonly agent: Agent;
  readonly flow: Flow;
  readonly problems?: readonly FlowProblem[];
  onFlow(flow: Flow): void;
  onAgent(changes: AgentChanges): void;
}

const FIELDS = fieldsOf(FlowSettings);
/** What has a field made by hand. */
const BY_HAND = new Set(["voice", "disclosure", "phrases"]);
const NONE: readonly FlowProblem[] = [];

/** How the agent behaves throughout the call, whatever it says. */
export function FlowSettingsPanel({ agent, flow, problems = NONE, onFlow, onAgent }: FlowSettingsPanelProps) {
  const settings = flow.settings ?? {};
  const found = useMemo(() => problemsBelow(problems, "settings"), [problems]);
  const onSettings = (next: unknown) => onFlow({ ...flow, settings: next as FlowSettings });
  const set = (name: string, value: unknown) => onSettings(setAt(settings, [name], value));
  const scope: FieldScope = {
    agentId: agent.id,
    flow,
    subject: "settings",
    whole: settings,
    problems: found,
    Editor: FieldEditor,
    placeholders: (pattern) => namesInSettings(flow, pattern),
    applies: () => true,
    declare: (name) => onFlow({ ...flow, variables: [...flow.variables, name] }),
  };
  const homeless = homelessProblems(found, shownPaths(FIELDS, settings, scope.applies));
  const some = (...names: readonly string[]) => (
    <Fields
      fields={names.flatMap((name) => FIELDS.filter((field) => field.name === name && !BY_HAND.has(name)))}
      path={[]}
      value={settings}
      onChange={onSettings}
    />
  );
  return (
    <FieldScopeProvider scope={scope}>
      <div className="space-y-8">
        {homeless.map((message) => (
          <Notice key={message} tone="danger">
            {message}
          </Notice>
        ))}
        <Section title="Agent">
          <AgentFacts agent={agent} onAgent={onAgent} />
        </Section>
        <Section title="Voice">
          <VoiceChoice value={settings.voice} onChange={(voice) => set("voice", voice)} />
        </Section>
        <Section title="Opening">
          {some("greeting")}
          <DisclosureField value={settings.disclosure} onChange={(disclosure) => set("disclosure", disclosure)} />
          {some("identification")}
        </Section>
        <Section title="Taking turns">{some("interruptible", "patience", "retries", "silence")}</Section>
        <Section title="Machines that answer">{some("voicemail", "phoneMenu")}</Section>
        <Section title="Limits">{some("limits", "fillerAfterMs")}</Section>
        <Section title="Variables">
          <VariablesSection agentId={agent.id} flow={flow} onFlow={onFlow} />
        </Section>
        <Section title="Tools for language models">
          <ToolsSection agentId={agent.id} flow={flow} problems={problems} onFlow={onFlow} />
        </Section>
        <Section title="Phrases">
          <PhraseList phrases={settings.phrases} onChange={(phrases) => set("phrases", phrases)} />
        </Section>
      </div>
    </FieldScopeProvider>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-4">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}
