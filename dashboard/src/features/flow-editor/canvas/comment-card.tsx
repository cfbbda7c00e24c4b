import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { replaceComment } from "../model/edit-flow.ts";
import { useEditorStore } from "../use-editor.ts";
import type { CommentNode } from "./canvas-elements.ts";

/** A note between the nodes, for whoever works on the flow next. It is written where it lies. */
export const CommentCard = memo(function CommentCard({ data: { comment }, selected }: NodeProps<CommentNode>) {
  const store = useEditorStore();
  return (
    <div className="comment" data-selected={selected}>
      <textarea
        aria-label="Comment"
        placeholder="A note for whoever works on this next"
        maxLength={2000}
        value={comment.text}
        readOnly={store.isFixed}
        onChange={({ target }) =>
          store.edit((flow) => replaceComment(flow, { ...comment, text: target.value }), `comment:${comment.id}`)
        }
        // From the words to the card, which can be moved and deleted.
        onKeyDown={({ key, currentTarget }) =>
          key === "Escape" ? currentTarget.closest<HTMLElement>(".react-flow__node")?.focus() : undefined
        }
        className="nodrag nowheel"
      />
    </div>
  );
});
