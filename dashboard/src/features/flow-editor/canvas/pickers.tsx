import type { Flow, FlowNode } from "@parley/contract/flow";
import { ArrowRight, Cable } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { type PalettePlace, useGoTo, usePlaces } from "../../../app/palette-places.ts";
import { CONTROL } from "../../../ui/forms/field.tsx";
import { Dialog } from "../../../ui/layout/dialog.tsx";
import { exitsOf } from "../model/exits.ts";
import { leadsOn, NODE_KINDS, type NodeType, nameOfType, summaryOf, titleOf } from "../model/node-kinds.ts";
import { subFlowsText } from "../sub-flows/text.ts";
import { NodeIcon } from "./palette.tsx";
import { editorCanvasText } from "./text.ts";

/** Which popup is open: to find a node, to add one, or to connect an exit. */
export type OpenChooser =
  | { readonly kind: "search" }
  | { readonly kind: "add"; readonly at: { readonly x: number; readonly y: number } | null }
  | { readonly kind: "insert"; readonly nodeId: string; readonly exitId: string }
  | { readonly kind: "exit"; readonly nodeId: string }
  | {
      readonly kind: "target";
      readonly nodeId: string;
      readonly exitId: string;
      readonly at: { readonly x: number; readonly y: number } | null;
    };

interface ChoosersProps {
  readonly open: OpenChooser;
  readonly flow: Flow;
  onClose(): void;
  onFound(nodeId: string): void;
  onAdd(type: NodeType): void;
  onExit(nodeId: string, exitId: string): void;
  /** A new node after the exit, or an existing one. */
  onTarget(target: { readonly type: NodeType } | { readonly id: string }): void;
  /** Makes a sub-flow from the selection; null when no node is selected. */
  readonly onMakeSubFlow: (() => void) | null;
  /** A new node between the exit and where it leads. */
  onInsert(type: NodeType, nodeId: string, exitId: string): void;
}

export function Choosers({ open, flow, onClose, onFound, onAdd, onExit, onTarget, onInsert, ...on }: ChoosersProps) {
  switch (open.kind) {
    case "search":
      return <Finder flow={flow} onClose={onClose} onFound={onFound} onMakeSubFlow={on.onMakeSubFlow} />;
    case "add":
      return (
        <Chooser
          title={editorCanvasText.addNode}
          placeholder={editorCanvasText.whatShouldItDo}
          emptyText={editorCanvasText.noKindMatches}
          choicesFor={(query) => kindsFor(flow, query)}
          onChoose={(type) => onAdd(type as NodeType)}
          onClose={onClose}
        />
      );
    case "insert":
      return (
        <Chooser
          title={editorCanvasText.insertNode}
          placeholder={editorCanvasText.whatShouldItDo}
          emptyText={editorCanvasText.noKindMatches}
          choicesFor={(query) => kindsFor(flow, query).filter(({ id }) => INSERTED.has(id))}
          onChoose={(type) => onInsert(type as NodeType, open.nodeId, open.exitId)}
          onClose={onClose}
        />
      );
    case "exit":
      return (
        <Chooser
          title={editorCanvasText.connectWhichExit}
          placeholder={editorCanvasText.searchExits}
          emptyText={editorCanvasText.noExitMatches}
          choicesFor={(query) => exitsFor(flow, open.nodeId, query)}
          onChoose={(exitId) => onExit(open.nodeId, exitId)}
          onClose={onClose}
        />
      );
    case "target":
      return (
        <Chooser
          title={editorCanvasText.whereDoesItLead}
          placeholder={editorCanvasText.targetPlaceholder}
          emptyText={editorCanvasText.noNodeMatches}
          choicesFor={(query) => [
            ...kindsFor(flow, query, editorCanvasText.newNode).map((choice) => ({ ...choice, id: `new:${choice.id}` })),
            ...found(flow, query).filter(({ id }) => canBeReached(flow, id)),
          ]}
          onChoose={(id) => onTarget(id.startsWith("new:") ? { type: id.slice(4) as NodeType } : { id })}
          onClose={onClose}
        />
      );
  }
}

/** More would push the nodes that are found out of sight. */
const PLACES_MAX = 12;

/** Finds a node, and what the command palette of other pages goes to: pages, agents, calls, settings and guides. */
function Finder({ flow, onClose, onFound, onMakeSubFlow }: Pick<ChoosersProps, FinderProp>) {
  const [query, setQuery] = useState("");
  const typed = query.trim();
  const places = usePlaces(typed);
  const goTo = useGoTo();
  // Without a word the nodes are listed, which are what people look for here.
  const offered = typed === "" ? [] : places.slice(0, PLACES_MAX);
  const choose = (id: string) => {
    const place = offered.find((each) => choiceIdOf(each) === id);
    if (id === MAKE_SUB_FLOW) return onMakeSubFlow?.();
    if (!place) return onFound(id);
    onClose();
    goTo(place);
  };
  return (
    <Chooser
      title={editorCanvasText.findNode}
      placeholder={editorCanvasText.searchPlaceholder}
      emptyText={editorCanvasText.searchEmpty}
      choicesFor={(words) => [...found(flow, words), ...(onMakeSubFlow ? commandsFor(words) : [])]}
      more={{
        title: editorCanvasText.goTo,
        choices: offered.map((place) => ({
          ...{ id: choiceIdOf(place), icon: <ArrowRight aria-hidden="true" />, name: place.label, note: place.note },
        })),
      }}
      onQuery={setQuery}
      onChoose={choose}
      onClose={onClose}
    />
  );
}

type FinderProp = "flow" | "onClose" | "onFound" | "onMakeSubFlow";

/** No node has such an id. */
const choiceIdOf = ({ id }: PalettePlace): string => `go:${id}`;

/** No node has such an id. */
const MAKE_SUB_FLOW = "do:make-sub-flow";

/** What can be done with the selection. */
function commandsFor(query: string): readonly Choice[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const { makeCommand, makeCommandNote, terms } = subFlowsText;
  const all = `${makeCommand} ${makeCommandNote} ${terms}`.toLowerCase();
  if (!words.every((word) => all.includes(word))) return [];
  return [{ id: MAKE_SUB_FLOW, icon: <NodeIcon type="subflow" />, name: makeCommand, note: makeCommandNote }];
}

/** Kinds of nodes that can both be reached and lead on. */
const INSERTED: ReadonlySet<string> = new Set(NODE_KINDS.map(({ type }) => type).filter(leadsOn));

function found(flow: Flow, query: string): readonly Choice[] {
  return searchFlow(flow, query).map(({ node, title, excerpt }) => ({
    id: node.id,
    icon: <NodeIcon type={node.type} />,
    name: title,
    note: excerpt || nameOfType(node.type),
  }));
}

/** The kinds that match, under the names that they are listed with. */
export function kindsFor(flow: Flow, query: string, nameFor = (kind: string) => kind): readonly Choice[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hasStart = flow.nodes.some(({ type }) => type === "start");
  const fitting = NODE_KINDS.filter(({ type }) => type !== "start" || !hasStart).filter((kind) => {
    const all = `${nameFor(kind.name)} ${kind.purpose} ${kind.alsoFoundBy} ${kind.type}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  // A match on the name of a kind ranks before one on its other search terms.
  const wanted = query.trim().toLowerCase();
  const isNamed = ({ name }: { readonly name: string }) =>
    [name, nameFor(name)].some((each) => each.toLowerCase().startsWith(wanted));
  return fitting
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    .map(({ type, name, purpose }) => ({
      id: type,
      icon: <NodeIcon type={type} />,
      name: nameFor(name),
      note: purpose,
    }));
}

function exitsFor(flow: Flow, nodeId: string, query: string): readonly Choice[] {
  const node = flow.nodes.find(({ id }) => id === nodeId);
  return (node ? exitsOf(node) : [])
    .filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()))
    .map(({ id, label, to }) => ({ id, icon: <Cable aria-hidden="true" />, name: label, note: leadsTo(flow, to) }));
}

function leadsTo(flow: Flow, to: string | undefined): string {
  const target = flow.nodes.find(({ id }) => id === to);
  return target ? editorCanvasText.leadsTo(titleOf(target)) : editorCanvasText.notConnectedYet;
}

function canBeReached(flow: Flow, id: string): boolean {
  return flow.nodes.some((node) => node.id === id && node.type !== "start" && node.type !== "voicemail");
}

interface Choice {
  readonly id: string;
  readonly icon?: ReactNode;
  readonly name: string;
  readonly note?: string;
}

interface ChooserProps {
  readonly title: string;
  readonly placeholder: string;
  /** The results for the text typed so far. */
  choicesFor(query: string): readonly Choice[];
  /** Further results for it, under a heading of their own. */
  readonly more?: { readonly title: string; readonly choices: readonly Choice[] };
  readonly emptyText: string;
  onQuery?(query: string): void;
  onChoose(id: string): void;
  onClose(): void;
}

/** A list that is searched by typing and chosen from with Enter. */
function Chooser(props: ChooserProps) {
  const { title, placeholder, choicesFor, more, emptyText, onQuery, onChoose, onClose } = props;
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [asked, setAsked] = useState(title);
  const listId = useId();
  // The next question in the same popup starts with an empty field.
  if (asked !== title) {
    setAsked(title);
    setQuery("");
    setAt(0);
  }
  const first = choicesFor(query);
  const choices = [...first, ...(more?.choices ?? [])];
  const current = Math.min(at, choices.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      const next = (current + step + choices.length) % Math.max(1, choices.length);
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
    }
    const chosen = choices[current];
    if (event.key === "Enter" && chosen) {
      event.preventDefault();
      onChoose(chosen.id);
    }
  };
  const option = ({ id, icon, name, note }: Choice, index: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys of the whole list.
    <div
      key={id}
      id={`${listId}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={index === current}
      onClick={() => onChoose(id)}
      onMouseMove={() => setAt(index)}
      className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 aria-selected:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-soft"
    >
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{name}</span>
        {note ? <span className="block truncate text-xs text-ink-soft">{note}</span> : null}
      </span>
    </div>
  );
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <input
        type="text"
        role="combobox"
        aria-label={title}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={choices.length > 0 ? `${listId}-${current}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={placeholder}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          onQuery?.(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className={`${CONTROL} h-11`}
      />
      <div id={listId} role="listbox" aria-label={title} className="mt-3 max-h-80 space-y-0.5 overflow-y-auto">
        {first.map(option)}
        {more && more.choices.length > 0 ? (
          // biome-ignore lint/a11y/useSemanticElements: a list box has groups, not field sets.
          <div role="group" aria-label={more.title}>
            <p aria-hidden="true" className="px-3 pt-3 pb-1 text-xs font-medium text-ink-soft">
              {more.title}
            </p>
            {more.choices.map((choice, index) => option(choice, first.length + index))}
          </div>
        ) : null}
      </div>
      {choices.length === 0 ? <p className="px-3 py-4 text-sm text-ink-soft">{emptyText}</p> : null}
    </Dialog>
  );
}

interface Found {
  readonly node: FlowNode;
  readonly title: string;
  /** The matching text, or the text of the node. */
  readonly excerpt: string;
}

const FOUND_MAX = 30;

/** Nodes that contain all search terms: matches in the name first, otherwise in document order. */
export function searchFlow(flow: Flow, query: string): readonly Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = flow.nodes.flatMap((node) => {
    const title = titleOf(node);
    const texts = [summaryOf(node), ...exitsOf(node).map(({ label }) => label), ...phrasesOf(node)];
    const names = `${title} ${node.id} ${nameOfType(node.type)}`.toLowerCase();
    const all = `${names} ${texts.join(" ").toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return [];
    const isNamed = words.every((word) => names.includes(word));
    const fitting = texts.find((text) => words.some((word) => text.toLowerCase().includes(word)));
    return [{ rank: isNamed ? 0 : 1, found: { node, title, excerpt: fitting ?? summaryOf(node) } }];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, FOUND_MAX)
    .map(({ found }) => found);
}

function phrasesOf(node: FlowNode): readonly string[] {
  const global = "global" in node ? (node.global?.phrases ?? []) : [];
  return node.type === "ask" ? [...global, ...node.exits.flatMap(({ phrases }) => phrases ?? [])] : global;
}
