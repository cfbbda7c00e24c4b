import type { Flow } from "@parley/contract/flow";
import type { Position } from "../model/new-node.ts";
import { NODE_WIDTH, sizeOf } from "../model/node-size.ts";

const GAP = 24;
/** As high as most nodes are. */
const HEIGHT = 150;

/** The wished place, or the first one below it where nothing lies yet. */
export function freePlace({ nodes }: Flow, { x, y }: Position): Position {
  const boxes = nodes.map((node) => ({ ...(node.position ?? { x: 0, y: 0 }), ...sizeOf(node) }));
  let top = y;
  for (;;) {
    const inTheWay = boxes.find(
      (box) =>
        x < box.x + box.width + GAP &&
        x + NODE_WIDTH + GAP > box.x &&
        top < box.y + box.height + GAP &&
        top + HEIGHT + GAP > box.y,
    );
    if (!inTheWay) return { x, y: top };
    top = inTheWay.y + inTheWay.height + GAP;
  }
}
