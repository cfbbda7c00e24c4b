import { fireEvent, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { expect, test } from "vitest";
import { useTabThroughRows } from "./tab-through-rows.ts";

interface RowsProps {
  /** The places of the rows that are drawn. */
  readonly drawn: readonly number[];
  readonly count: number;
  readonly isFetchingMore?: boolean;
}

function Rows({ drawn, count, isFetchingMore = false }: RowsProps) {
  const place = useRef<HTMLDivElement>(null);
  const goOn = useTabThroughRows(place, count, isFetchingMore);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: as in the table.
    <div ref={place} onKeyDown={goOn}>
      {drawn.map((index) => (
        // biome-ignore lint/a11y/useSemanticElements: as in the table.
        // biome-ignore lint/a11y/useFocusableInteractive: as in the table.
        <div key={index} role="row" aria-rowindex={index + 2}>
          <a href="/">{index}</a>
        </div>
      ))}
    </div>
  );
}

const row = (index: number) => screen.getByRole("link", { name: String(index) });
/** Presses a key, and says whether it is left to the browser. */
const tab = (index: number, shiftKey = false) => fireEvent.keyDown(row(index), { key: "Tab", shiftKey });

test("Tab waits for a row that is not drawn yet, and goes there once it is", () => {
  const { rerender } = render(<Rows drawn={[3, 4, 5]} count={20} />);
  row(5).focus();
  expect(tab(5)).toBe(false);
  rerender(<Rows drawn={[4, 5, 6]} count={20} />);
  expect(document.activeElement).toBe(row(6));
});

test("Shift+Tab waits for the row before", () => {
  const { rerender } = render(<Rows drawn={[3, 4, 5]} count={20} />);
  row(3).focus();
  expect(tab(3, true)).toBe(false);
  rerender(<Rows drawn={[2, 3, 4]} count={20} />);
  expect(document.activeElement).toBe(row(2));
});

test("Tab waits for rows that are being loaded, and leaves the list at its end and where loading failed", () => {
  const { rerender } = render(<Rows drawn={[18, 19]} count={20} isFetchingMore />);
  row(19).focus();
  expect(tab(19)).toBe(false);
  rerender(<Rows drawn={[18, 19]} count={20} />);
  expect(tab(19)).toBe(true);
  expect(tab(18)).toBe(true);
});

test("who has gone elsewhere meanwhile stays there", () => {
  const { rerender } = render(<Rows drawn={[3, 4, 5]} count={20} />);
  row(5).focus();
  tab(5);
  row(3).focus();
  rerender(<Rows drawn={[3, 4, 5, 6]} count={20} />);
  expect(document.activeElement).toBe(row(3));
});
