import { COMMENT_COLORS, type FlowComment } from "@parley/contract/flow";
import { editorCanvasText } from "./text.ts";

type Color = NonNullable<FlowComment["color"]>;

/** The colors of comments and groups, in a toolbar above them. */
export function ColorButtons({ value, onChoose }: { readonly value: Color; onChoose(color: Color): void }) {
  return COMMENT_COLORS.map((color) => (
    <button
      key={color}
      type="button"
      aria-label={editorCanvasText.color(editorCanvasText.colors[color])}
      aria-pressed={value === color}
      title={editorCanvasText.colors[color]}
      data-color={color}
      className="comment-color"
      onClick={() => onChoose(color)}
    />
  ));
}
