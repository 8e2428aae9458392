/** The overlay that all keys are meant for: of those over the window the one that was opened last. */
export function uppermostModal(): Element | null {
  return [...document.querySelectorAll("[data-modal]")].at(-1) ?? null;
}
