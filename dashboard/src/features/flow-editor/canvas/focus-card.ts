/** So many frames a new card may need to be drawn, or a far one to come into view. */
const FRAMES_MAX = 40;

/** Gives the focus to the card of a node, or to the text of a comment, as soon as it is drawn. Returns how to give up. */
export function focusCard(canvas: ParentNode, nodeId: string): () => void {
  let left = FRAMES_MAX;
  let frame = requestAnimationFrame(function look() {
    const card = canvas.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);
    left -= 1;
    if (card) (card.querySelector("textarea") ?? card).focus({ preventScroll: true });
    else if (left > 0) frame = requestAnimationFrame(look);
  });
  return () => cancelAnimationFrame(frame);
}
