import type { Agent } from "@parley/contract/agents";
import { Link } from "@tanstack/react-router";
import {
  ArrowDownFromLine,
  ArrowLeft,
  ArrowRightFromLine,
  ChartNoAxesColumn,
  Check,
  CloudOff,
  Download,
  History,
  Keyboard,
  LayoutDashboard,
  LoaderCircle,
  MoreHorizontal,
  Redo2,
  Search,
  TriangleAlert,
  Undo2,
  Upload,
  WandSparkles,
} from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Menu, MenuCheck, MenuItem, MenuLine } from "../../ui/layout/menu.tsx";
import type { OpenDialog } from "./builder-dialogs.tsx";
import type { CanvasActions } from "./canvas/use-keyboard-shortcuts.ts";
import type { DraftState } from "./model/draft-state.ts";
import type { EditorStore } from "./model/editor-store.ts";
import { flowEditorText } from "./text.ts";
import { useEditor } from "./use-editor.ts";
import { download, writeAgentFile } from "./versions/agent-file.tsx";

interface BuilderToolbarProps {
  readonly agent: Agent;
  readonly draft: DraftState;
  readonly store: EditorStore;
  readonly actions: CanvasActions;
  readonly canPublish: boolean;
  /** Whether the published version is the draft already; null until that is known. */
  readonly isPublished: boolean | null;
  readonly areNumbersShown: boolean;
  onShowNumbers(areShown: boolean): void;
  onRetry(): void;
  onOpen(dialog: OpenDialog): void;
}

/** The agent, its save state, and the actions on the whole flow. */
export function BuilderToolbar({ agent, draft, store, actions, ...props }: BuilderToolbarProps) {
  const { canPublish, isPublished, areNumbersShown, onShowNumbers, onRetry, onOpen } = props;
  const canUndo = useEditor(store, ({ history }) => history.past.length > 0);
  const canRedo = useEditor(store, ({ history }) => history.future.length > 0);
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-3 py-2 sm:px-4">
      <Link to="/agents" aria-label={flowEditorText.allAgents} className="p-2 text-ink-soft hover:text-ink">
        <ArrowLeft aria-hidden="true" className="size-4.5" />
      </Link>
      <h1 className="min-w-0 truncate font-semibold">{agent.name}</h1>
      <span className="max-sm:hidden">
        <Badge>
          {agent.publishedVersion === null
            ? flowEditorText.notPublished
            : flowEditorText.version(agent.publishedVersion)}
        </Badge>
      </span>
      <SaveState state={draft} onRetry={onRetry} />
      <div className="ml-auto flex items-center gap-1">
        <ToolbarButton
          label={flowEditorText.undo}
          isOff={!canUndo}
          onClick={store.undo}
          icon={<Undo2 aria-hidden="true" />}
        />
        <ToolbarButton
          label={flowEditorText.redo}
          isOff={!canRedo}
          onClick={store.redo}
          icon={<Redo2 aria-hidden="true" />}
        />
        <ToolbarButton label={flowEditorText.findNode} onClick={actions.search} icon={<Search aria-hidden="true" />} />
        <span className="contents max-md:hidden">
          <Button
            look="quiet"
            size="smallIcon"
            aria-label={flowEditorText.latestNumbers}
            title={flowEditorText.latestNumbers}
            aria-pressed={areNumbersShown}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
            onClick={() => onShowNumbers(!areNumbersShown)}
          >
            <ChartNoAxesColumn aria-hidden="true" />
          </Button>
          <ToolbarButton
            label={flowEditorText.tidyUp}
            onClick={() => actions.tidy()}
            icon={<LayoutDashboard aria-hidden="true" />}
          />
        </span>
        <Menu
          trigger={
            <Button look="quiet" size="smallIcon" aria-label={flowEditorText.more}>
              <MoreHorizontal aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem onChoose={() => onOpen({ kind: "versions" })}>
            <History aria-hidden="true" />
            {flowEditorText.versions}
          </MenuItem>
          <MenuLine />
          <MenuItem onChoose={() => onOpen({ kind: "describe" })}>
            <WandSparkles aria-hidden="true" />
            {flowEditorText.describeYourAgent}
          </MenuItem>
          <MenuItem onChoose={() => onOpen({ kind: "import" })}>
            <Upload aria-hidden="true" />
            {flowEditorText.importFile}
          </MenuItem>
          <MenuItem onChoose={() => download(fileName(agent.name), writeAgentFile(agent, store.getSnapshot().flow))}>
            <Download aria-hidden="true" />
            {flowEditorText.exportAsJson}
          </MenuItem>
          <MenuLine />
          <MenuCheck isChecked={areNumbersShown} onToggle={onShowNumbers}>
            <span className="flex items-center gap-2">
              <ChartNoAxesColumn aria-hidden="true" />
              {flowEditorText.latestNumbers}
            </span>
          </MenuCheck>
          <MenuItem onChoose={() => actions.tidy("right")}>
            <ArrowRightFromLine aria-hidden="true" />
            {flowEditorText.tidyUpRight}
          </MenuItem>
          <MenuItem onChoose={() => actions.tidy("down")}>
            <ArrowDownFromLine aria-hidden="true" />
            {flowEditorText.tidyUpDown}
          </MenuItem>
          <MenuItem onChoose={actions.showKeys}>
            <Keyboard aria-hidden="true" />
            {flowEditorText.keyboardShortcuts}
          </MenuItem>
        </Menu>
        <Button
          look="primary"
          size="small"
          disabled={!canPublish || isPublished !== false}
          title={isPublished ? flowEditorText.alreadyPublished : canPublish ? undefined : flowEditorText.fixProblems}
          onClick={() => onOpen({ kind: "publish" })}
        >
          {flowEditorText.publish}
        </Button>
      </div>
    </div>
  );
}

function fileName(name: string): string {
  return `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-") || "agent"}.json`;
}

interface ToolbarButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isOff?: boolean;
  onClick(): void;
}

/** An icon button whose label is announced and shown as a tooltip. */
export function ToolbarButton({ label, icon, isOff = false, onClick }: ToolbarButtonProps) {
  return (
    <Button look="quiet" size="smallIcon" aria-label={label} title={label} disabled={isOff} onClick={onClick}>
      {icon}
    </Button>
  );
}

/** The save state in a word. */
function SaveState({ state, onRetry }: { readonly state: DraftState; onRetry(): void }) {
  const isSaving = state.kind === "waiting" || state.kind === "saving";
  // Also while it is tried again: otherwise the button would go away under the focus every few seconds.
  const isAway = state.kind === "away" || (state.kind === "saving" && state.attempts > 0);
  return (
    <span
      role="status"
      data-testid="save-state"
      data-state={state.kind}
      className="flex items-center gap-1.5 text-sm text-ink-soft [&_svg]:size-4"
    >
      {state.kind === "saved" ? (
        <>
          <Check aria-hidden="true" />
          <span className="max-sm:sr-only">{flowEditorText.saved}</span>
        </>
      ) : null}
      {isSaving && !isAway ? (
        <>
          <LoaderCircle aria-hidden="true" className="animate-spin" />
          <span className="max-sm:sr-only">{flowEditorText.saving}</span>
        </>
      ) : null}
      {isAway ? (
        <>
          {isSaving ? (
            <LoaderCircle aria-hidden="true" className="animate-spin" />
          ) : (
            <CloudOff aria-hidden="true" className="text-warning-text" />
          )}
          <span className="text-warning-text">{flowEditorText.keptInBrowser}</span>
          <button type="button" className="font-medium text-accent-text underline" onClick={onRetry}>
            {flowEditorText.tryNow}
          </button>
        </>
      ) : null}
      {state.kind === "overtaken" || state.kind === "refused" ? (
        <>
          <TriangleAlert aria-hidden="true" className="text-danger" />
          <span className="text-danger-text">{flowEditorText.notSaved}</span>
        </>
      ) : null}
    </span>
  );
}
