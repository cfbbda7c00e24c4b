import type { Locator, Page } from "playwright-core";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place on the canvas with nothing on it and nothing over it, and room above it for the colors of a note. */
export async function findEmptyPlace(page: Page): Promise<Point> {
  const place = await page.evaluate(`(() => {
    const { left, right, top, bottom } = document.querySelector(".flow-canvas").getBoundingClientRect();
    for (let y = top + 80; y < bottom - 30; y += 20) {
      for (let x = left + 30; x < right - 30; x += 20) {
        const isEmpty = [-20, 0, 20].every((by) =>
          document.elementFromPoint(x + by, y + by)?.classList.contains("react-flow__pane"));
        if (isEmpty) return { x, y };
      }
    }
    return null;
  })()`);
  if (place === null) throw new Error("the canvas is full");
  return place as Point;
}

/** Presses with a finger until the menu is there. */
export async function pressLong(page: Page, { x, y }: Point): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await page.getByRole("menu").waitFor();
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await devtools.detach();
}

export async function middleOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  if (!box) throw new Error("the element is not drawn");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
