import type { FlowNode } from "@parley/contract/flow";
import { exitsOf } from "../exits.ts";
import { summaryOf } from "../node-kinds.ts";

// A node is drawn in exactly these sizes, so that a layout and the lines between nodes are right before anything is drawn.
export const NODE_WIDTH = 264;
export const HEADER_HEIGHT = 44;
const SUMMARY_HEIGHT = 52;
const EXIT_HEIGHT = 30;
const FOOT_HEIGHT = 8;

/** The size of a comment until it is resized. */
export const COMMENT_SIZE = { width: 220, height: 120 };

interface Size {
  readonly width: number;
  readonly height: number;
}

export function sizeOf(node: FlowNode): Size {
  const exits = exitsOf(node).length;
  const summary = hasSummary(node) ? SUMMARY_HEIGHT : 0;
  return {
    width: NODE_WIDTH,
    height: HEADER_HEIGHT + summary + (exits > 0 ? exits * EXIT_HEIGHT + FOOT_HEIGHT : 0),
  };
}

/** Empty text is shown as missing; nodes without text take no space for it. */
export function hasSummary(node: FlowNode): boolean {
  return (node.type !== "start" && node.type !== "branch") || summaryOf(node) !== "";
}

/** Where an exit's line begins, from the top of its node. */
export function exitTop(node: FlowNode, index: number): number {
  return HEADER_HEIGHT + (hasSummary(node) ? SUMMARY_HEIGHT : 0) + index * EXIT_HEIGHT + EXIT_HEIGHT / 2;
}
