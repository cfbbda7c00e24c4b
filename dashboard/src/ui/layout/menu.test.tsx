import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test, vi } from "vitest";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLabel, MenuLine } from "./menu.tsx";

/** Far longer than it takes. */
const WITHIN = { timeout: 20_000 };

// Loading it is not what is tested here, and takes long on a busy machine.
beforeAll(() => import("./opened-menu.tsx"));

function renderMenu() {
  const choose = vi.fn();
  render(
    <Menu trigger={<button type="button">More</button>}>
      <MenuLabel>Agent</MenuLabel>
      <MenuItem onChoose={() => choose("rename")}>Rename</MenuItem>
      <MenuLine />
      <MenuCheck isChecked onToggle={choose}>
        Pinned
      </MenuCheck>
      <MenuChoice value="a" choices={[{ value: "a", label: "First" }]} onChoose={choose} />
    </Menu>,
  );
  return { choose, trigger: () => screen.getByRole("button", { name: "More" }) };
}

test("a menu that was never opened is a button that says that it opens one", () => {
  const { trigger } = renderMenu();
  expect(trigger().getAttribute("aria-haspopup")).toBe("menu");
  expect(trigger().getAttribute("aria-expanded")).toBe("false");
  expect(screen.queryByText("Rename")).toBeNull();
});

test("a click opens it with all its items, and one of them can be chosen", async () => {
  const { choose, trigger } = renderMenu();
  await userEvent.click(trigger());
  expect(await screen.findByRole("menuitemcheckbox", { name: "Pinned" }, WITHIN)).toBeTruthy();
  expect(screen.getByRole("menuitemradio", { name: "First" })).toBeTruthy();
  await userEvent.click(screen.getByRole("menuitem", { name: "Rename" }));
  expect(choose).toHaveBeenCalledWith("rename");
  expect(screen.queryByRole("menu")).toBeNull();
});

test.each(["{Enter}", " ", "{ArrowDown}"])("the key %s opens it at its first item, and Escape returns", async (key) => {
  const { choose, trigger } = renderMenu();
  await userEvent.tab();
  expect(document.activeElement).toBe(trigger());
  await userEvent.keyboard(key);
  const first = await screen.findByRole("menuitem", { name: "Rename" }, WITHIN);
  await vi.waitFor(() => expect(document.activeElement).toBe(first), WITHIN);
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("menu")).toBeNull();
  expect(document.activeElement).toBe(trigger());
  // From now on Radix opens it.
  await userEvent.keyboard("{Enter}");
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe("Rename"), WITHIN);
  await userEvent.keyboard("{Enter}");
  expect(choose).toHaveBeenCalledWith("rename");
});
