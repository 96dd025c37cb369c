// The frame of all pages: header, banner, and the page of the route.

import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { server } from "./client";
import { HelpPage } from "./help/HelpPage";
import { LabPage } from "./lab/LabPage";
import { route } from "./navigation";
import { parts, type Part } from "./parts";
import type { Route } from "./state";
import { StartPage } from "./start/StartPage";
import { choice, choose, next, theme } from "./theme";

export function App() {
  // The page changes with its kind, and not with each state that it shows.
  const page = useComputed(() => route.value?.page ?? null);
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>To the content</a>
      <Header page={page.value} />
      <Banner />
      <div id="main" tabIndex={-1}>{page.value && <Page page={page.value} />}</div>
    </>
  );
}

/** The fragment is the address of the state; a jump must not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Page({ page }: { page: Route["page"] }) {
  if (page === "start") return <StartPage />;
  if (page === "lab") return <LabPage />;
  if (page === "help") return <HelpPage />;
  const part = parts.find((each) => each.pages.includes(page));
  const now = route.value;
  if (part && now) return <part.Page route={now} />;
  return (
    <main class="text-page">
      <h1>There is no such page</h1>
      <p>Nothing is at this address. <a href="#/">All scenarios</a></p>
    </main>
  );
}

function Header({ page }: { page: Route["page"] | null }) {
  const links: (Pick<Part, "label" | "href" | "Badge"> & { pages: readonly string[] })[] = [
    { label: "Scenarios", href: "#/", pages: ["start", "lab"] },
    ...parts,
    { label: "Help", href: "#/help", pages: ["help"] },
  ];
  // On a phone the entries do not fit: the one of this page is in sight.
  useEffect(() => document.querySelector(".top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [page]);
  return (
    <header class="top">
      <a class="brand" href="#/">ackclock <span>lab</span></a>
      <nav aria-label="Pages">
        {links.map((each) => (
          <a key={each.href} href={each.href} aria-current={page && each.pages.includes(page) ? "page" : undefined}>
            {each.label}
            {each.Badge && <each.Badge />}
          </a>
        ))}
      </nav>
      <ThemeSwitch />
    </header>
  );
}

const NAMES = { system: "as the system", light: "light", dark: "dark" };

function ThemeSwitch() {
  const label = `Colours: ${NAMES[choice.value]}. Switch to ${NAMES[next(choice.value)]}`;
  return (
    <button type="button" class="theme-switch" aria-label={label} title={label} onClick={() => choose(next(choice.value))}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <circle cx="10" cy="10" r="7" class="ring" />
        {choice.value === "system" && <path d="M10 3a7 7 0 0 1 0 14z" />}
        {choice.value !== "system" && theme.value === "dark" && <circle cx="10" cy="10" r="7" />}
      </svg>
    </button>
  );
}

function Banner() {
  if (server.value === "there") return null;
  return (
    <div class="banner" role="alert">
      {server.value === "gone" ? (
        <p>
          The server does not answer. Start <code>ackclock lab</code> again; this page looks for it every 2 seconds and then goes on.
        </p>
      ) : (
        <p>
          This page has no valid token. Open the address that <code>ackclock lab</code> printed: each start has a new one.
        </p>
      )}
    </div>
  );
}
