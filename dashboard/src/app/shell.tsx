import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import {
  BookOpen,
  Bot,
  ChartColumnStacked,
  ChartNoAxesColumn,
  PhoneOff,
  PhoneOutgoing,
  RadioTower,
  Search,
  Settings2,
  Unplug,
} from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { accountQuery, meQuery, signInEnded } from "../api/sign-in-state.ts";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { formatBalance } from "../ui/format.ts";
import { Segmented } from "../ui/forms/segmented.tsx";
import { useKeptPlace } from "./last-place.ts";
import { LiveChanges, useIsLive } from "./live-changes.tsx";
import { MemberMenu } from "./member-menu.tsx";
import { ModeProvider, useMode } from "./mode.tsx";
import { appText } from "./text.tsx";

const ITEM =
  "flex h-10 items-center gap-3 rounded-lg px-3 text-sm text-ink-soft hover:bg-sunken hover:text-ink [&_svg]:size-4.5 [&_svg]:shrink-0 [&.active]:bg-sunken [&.active]:font-medium [&.active]:text-ink md:group-data-fills-screen/shell:px-2.5";

/** What folded navigation leaves out; screen readers still read it. */
const FOLDED = "md:group-data-fills-screen/shell:sr-only";

/**
 * The frame of every signed-in page: navigation, mode and remaining credit. A page whose route says `fillsScreen` gets
 * exactly the rest of the screen and scrolls only in its own panels; next to it the navigation is icons only. The frame is
 * told so by the route, because a style that looked for it in the page (`:has()`) would be computed again for every element
 * at every change of the page.
 */
export function Shell() {
  return (
    <ModeProvider>
      <Frame />
    </ModeProvider>
  );
}

function Frame() {
  const fillsScreen = useRouterState({
    select: ({ matches }) => matches.some((match) => match.staticData.fillsScreen),
  });
  useKeptPlace();
  return (
    <LiveChanges>
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {appText.skipToContent}
      </a>
      <div
        {...(fillsScreen ? { "data-fills-screen": "" } : {})}
        className="group/shell min-h-dvh md:grid md:grid-cols-[14.5rem_minmax(0,1fr)] md:data-fills-screen:grid-cols-[3.5rem_minmax(0,1fr)]"
      >
        <nav
          aria-label={appText.mainNavigation}
          className="hidden border-r border-line bg-surface px-3 py-5 md:sticky md:top-0 md:flex md:h-dvh md:flex-col md:group-data-fills-screen/shell:px-2"
        >
          <Brand />
          <div className="mt-7 space-y-1">
            <Places />
          </div>
          <div className="mt-auto border-t border-line pt-3">
            <MemberMenu />
          </div>
        </nav>
        <div className="min-w-0 group-data-fills-screen/shell:flex group-data-fills-screen/shell:h-dvh group-data-fills-screen/shell:flex-col">
          <TopBar />
          <AwayBanner />
          <SimulatedBanner />
          <main
            id="main"
            tabIndex={-1}
            className="pb-20 outline-none group-data-fills-screen/shell:flex group-data-fills-screen/shell:min-h-0 group-data-fills-screen/shell:flex-1 group-data-fills-screen/shell:flex-col max-md:group-data-fills-screen/shell:pb-[3.5625rem] md:pb-0"
          >
            <Outlet />
          </main>
        </div>
        <nav
          aria-label={appText.mainNavigation}
          className="fixed inset-x-0 bottom-0 z-30 grid auto-cols-auto grid-flow-col border-t border-line bg-surface px-1 py-1 md:hidden [&_a]:h-12 [&_a]:flex-col [&_a]:justify-center [&_a]:gap-0.5 [&_a]:px-0 [&_a]:text-[0.6875rem] max-[22.5rem]:[&_a]:text-[0.625rem]"
        >
          <Places />
        </nav>
      </div>
      <SignInAgainWhenEnded />
    </LiveChanges>
  );
}

// Rarely needed.
const SignInAgain = lazy(async () => ({
  default: (await import("../features/sign-in/sign-in-again.tsx")).SignInAgain,
}));

function SignInAgainWhenEnded() {
  const hasEnded = useSyncExternalStore(signInEnded.subscribe, signInEnded.read, signInEnded.read);
  return hasEnded ? (
    <Suspense>
      <SignInAgain />
    </Suspense>
  ) : null;
}

/** Loaded when it is first opened. */
const CommandPalette = lazy(async () => ({ default: (await import("./command-palette.tsx")).CommandPalette }));

/** Opens the command palette, as does Ctrl K or Command K on pages that have no other use for it. */
function PaletteButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // The builder finds nodes by this key, and below them what the palette finds.
      if (event.defaultPrevented) return;
      event.preventDefault();
      const isDialogOpen = document.querySelector("[data-dialog]") !== null;
      setOpen((isShown) => !isShown && !isDialogOpen);
    };
    // Pages listen on the document, which an event reaches before the window.
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        title={appText.goToHint}
        className="flex h-9 items-center gap-2 rounded-lg px-2 text-sm text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <Search aria-hidden="true" className="size-4.5" />
        <span className="max-md:sr-only">{appText.goTo}</span>
        <kbd className="rounded border border-line px-1.5 font-sans text-xs group-data-fills-screen/shell:hidden max-md:hidden">
          {appText.paletteKeys}
        </kbd>
      </button>
      {isOpen ? (
        <Suspense>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function Places() {
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }} className={ITEM} title={appText.overview}>
        <ChartNoAxesColumn aria-hidden="true" />
        <span className={FOLDED}>{appText.overview}</span>
      </Link>
      <Link to="/calls" className={ITEM} title={appText.calls}>
        <PhoneOutgoing aria-hidden="true" />
        <span className={FOLDED}>{appText.calls}</span>
      </Link>
      <Link to="/agents" className={ITEM} title={appText.agents}>
        <Bot aria-hidden="true" />
        <span className={FOLDED}>{appText.agents}</span>
      </Link>
      <Link to="/usage" className={ITEM} title={appText.usage}>
        <ChartColumnStacked aria-hidden="true" />
        <span className={FOLDED}>{appText.usage}</span>
      </Link>
      <Link to="/settings" className={ITEM} title={appText.settings}>
        <Settings2 aria-hidden="true" />
        <span className={FOLDED}>{appText.settings}</span>
      </Link>
      {me?.member.isOperator ? (
        <Link to="/operator" className={ITEM} title={appText.operator}>
          <RadioTower aria-hidden="true" />
          <span className={FOLDED}>{appText.operator}</span>
        </Link>
      ) : null}
      <a href="/docs" className={ITEM} title={appText.docs}>
        <BookOpen aria-hidden="true" />
        <span className={FOLDED}>{appText.docs}</span>
      </a>
    </>
  );
}

function TopBar() {
  const { mode, chooseMode } = useMode();
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-canvas/95 backdrop-blur-sm">
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-3 px-4 group-data-fills-screen/shell:max-w-none sm:px-8 sm:group-data-fills-screen/shell:px-4">
        <div className="md:hidden">
          <Brand isShort />
        </div>
        <Segmented
          label={appText.whichCallsAreShown}
          value={mode}
          choices={[
            { value: "test", label: appText.test },
            { value: "live", label: appText.live },
          ]}
          onChoose={chooseMode}
        />
        <div className="ml-auto flex items-center gap-3">
          <PaletteButton />
          <Credit />
          <div className="md:hidden">
            <MemberMenu isShort />
          </div>
        </div>
      </div>
    </header>
  );
}

function Credit() {
  const { data } = useQuery(accountQuery);
  if (!data) return <Skeleton className="h-5 w-16" />;
  return (
    <p className="text-sm">
      <span className="text-ink-soft">{appText.credit} </span>
      <span className="font-semibold tabular-nums" data-testid="credit">
        {formatBalance(data.balance)}
      </span>
    </p>
  );
}

function Brand({ isShort = false }: { readonly isShort?: boolean }): ReactNode {
  return (
    <span className="flex items-center gap-2.5 px-1 font-semibold tracking-tight md:px-2 md:group-data-fills-screen/shell:px-1.5">
      <img src="/icon.svg" alt={isShort ? "Parley" : ""} className="size-7" />
      {isShort ? null : <span className={FOLDED}>Parley</span>}
    </span>
  );
}

/** A stream that reconnects immediately is not worth a banner. */
const PATIENCE_MS = 1500;

/** Shown while the service is unreachable. The page stays, including what was typed. */
function AwayBanner() {
  const isLive = useIsLive();
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (isLive) return setAway(false);
    const timer = setTimeout(() => setAway(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isLive]);
  return (
    <div role="status">
      {isAway ? (
        <p className="flex items-center gap-3 bg-warning-soft px-4 py-2.5 text-sm text-warning-text sm:px-8">
          <Unplug aria-hidden="true" className="size-4.5 shrink-0" />
          <span>
            {appText.away((words) => (
              <span className="font-medium">{words}</span>
            ))}
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** Shown on every page in live mode while no trunk is connected. */
function SimulatedBanner() {
  const { mode } = useMode();
  const { data: account } = useQuery(accountQuery);
  const { data: me } = useQuery(meQuery);
  if (mode !== "live" || account?.liveNetwork !== "simulated") return null;
  return (
    <div role="status" className="border-b border-line bg-warning-soft text-warning-text">
      <p className="mx-auto flex max-w-6xl items-start gap-2.5 px-4 py-2 text-sm sm:px-8">
        <PhoneOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          {appText.simulatedCalls}{" "}
          {account.liveCallsCharged ? appText.simulatedCallsCharged : appText.simulatedCallsFree}{" "}
          {me?.member.isOperator ? (
            <Link to="/operator/trunks" className="font-medium underline underline-offset-2">
              {appText.connectATrunk}
            </Link>
          ) : (
            appText.askTheOperator
          )}
        </span>
      </p>
    </div>
  );
}
