import { signOut } from "@parley/contract/routes/members";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, LogOut, UserRound } from "lucide-react";
import { useState } from "react";
import { errorText } from "../api/api-error.ts";
import { send } from "../api/send.ts";
import { meQuery } from "../api/sign-in-state.ts";
import { chooseLanguage, LANGUAGES, type Language, readLanguage } from "../languages/language.ts";
import { useToast } from "../ui/feedback/toast.tsx";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from "../ui/layout/menu.tsx";
import { appText } from "./text.tsx";
import { chooseTheme, readTheme, type Theme } from "./theme.ts";

const THEME_NAMES: readonly { value: Theme; label: string }[] = [
  { value: "system", label: appText.system },
  { value: "light", label: appText.light },
  { value: "dark", label: appText.dark },
];

const BROWSER = "browser";

const LANGUAGE_NAMES: readonly { value: Language | typeof BROWSER; label: string }[] = [
  { value: BROWSER, label: appText.languageOfTheBrowser },
  ...Object.entries(LANGUAGES).map(([value, label]) => ({ value: value as Language, label })),
];

function changeLanguage(next: Language | typeof BROWSER): void {
  chooseLanguage(next === BROWSER ? null : next);
}

/** The member, the theme, the language and signing out. */
export function MemberMenu({ isShort = false }: { readonly isShort?: boolean }) {
  const { data: me } = useQuery(meQuery);
  const [theme, setTheme] = useState(readTheme);
  const leave = useSignOut();
  const email = me?.member.email ?? appText.signedIn;
  return (
    <Menu
      trigger={
        <button
          type="button"
          {...(isShort ? { "aria-label": appText.accountMenuOf(email) } : {})}
          className={`flex items-center gap-3 rounded-lg text-left text-sm hover:bg-sunken ${isShort ? "size-9 justify-center" : "w-full px-2 py-2 md:group-data-fills-screen/shell:px-1"}`}
        >
          <span aria-hidden="true" className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken">
            <UserRound className="size-4" />
          </span>
          {isShort ? null : (
            <>
              <span className="sr-only">{appText.accountMenu}</span>
              <span className="min-w-0 flex-1 md:group-data-fills-screen/shell:sr-only">
                <span className="block truncate font-medium">{me?.account.name}</span>
                <span className="block truncate text-xs text-ink-soft">{email}</span>
              </span>
              <ChevronsUpDown
                aria-hidden="true"
                className="size-4 shrink-0 text-ink-soft md:group-data-fills-screen/shell:hidden"
              />
            </>
          )}
        </button>
      }
    >
      <MenuLabel>{email}</MenuLabel>
      <MenuLine />
      <MenuLabel>{appText.appearance}</MenuLabel>
      <MenuChoice
        value={theme}
        choices={THEME_NAMES}
        onChoose={(next) => {
          chooseTheme(next);
          setTheme(next);
        }}
      />
      <MenuLine />
      <MenuLabel>{appText.language}</MenuLabel>
      <MenuChoice value={readLanguage() ?? BROWSER} choices={LANGUAGE_NAMES} onChoose={changeLanguage} />
      <MenuLine />
      <MenuItem onChoose={leave}>
        <LogOut aria-hidden="true" />
        {appText.signOut}
      </MenuItem>
    </Menu>
  );
}

function useSignOut(): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { mutate } = useMutation({
    mutationFn: () => send(signOut, { body: {} }),
    onSuccess: async () => {
      // Signing out on purpose must not open the dialog to sign in again.
      queries.removeQueries(meQuery);
      await navigate({ to: "/sign-in" });
      // Leaves no data for the next person at this browser.
      queries.clear();
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  return () => mutate();
}
