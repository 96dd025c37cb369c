// A button with a list below it. It closes on Escape, on a click elsewhere, and when the focus leaves it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function Menu({ label, children, title }: { label: string; children: ComponentChildren; title?: string }) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = (focus: boolean) => {
    const its = details.current;
    if (!its?.open) return;
    its.open = false;
    if (focus) its.querySelector("summary")?.focus();
  };
  useEffect(() => {
    const outside = (event: Event) => {
      if (!details.current?.contains(event.target as Node)) close(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, []);
  return (
    <details ref={details} class="menu" onKeyDown={(event) => event.key === "Escape" && close(true)}>
      <summary title={title}>{label}</summary>
      <div class="menu-body" onClick={(event) => (event.target as HTMLElement).closest("[data-closes]") && close(true)}>
        {children}
      </div>
    </details>
  );
}
