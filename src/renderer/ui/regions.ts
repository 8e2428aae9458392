import { entryOf, firstControl, isVisible, mainOf } from "./viewFocus.ts";

// Parts of the window that F6 moves between have `data-region`. Views, which have `data-view`, have an element with
// `data-main`, where the focus belongs; other parts may have one, else it is their first control.

/** The element that last had the focus in each region; navigation is entered at the view that is shown instead. */
const last = new WeakMap<Element, HTMLElement>();

/** Remembers the focus of each region, and enters choices at the chosen one. @param from the element that had the focus */
export function onRegionFocus(target: HTMLElement, from: EventTarget | null): void {
  const region = target.closest("[data-region]");
  if (region && !region.matches("nav")) last.set(region, target);
  enterAtChosen(target, from);
}

/** Moves the focus that a key moved into a group of choices to the chosen one, like the browser does with its own radios. */
function enterAtChosen(target: HTMLElement, from: EventTarget | null): void {
  const group = target.closest("[role=radiogroup]");
  if (!group || (from instanceof Node && group.contains(from)) || !target.matches(":focus-visible")) return;
  group.querySelector<HTMLElement>("[role=radio][aria-checked=true]")?.focus();
}

/** Number of views that the focus is about to enter. */
let entering = 0;

/**
 * Moves the focus to the next or the previous part of the window: to where it was there, or to the main element. Keys act
 * in their order: if the focus is about to enter a view, it moves on from there.
 */
export function moveRegion(by: 1 | -1): void {
  if (entering > 0) {
    requestAnimationFrame(() => moveRegion(by));
    return;
  }
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter(isVisible);
  const from = regions.findIndex((region) => region.contains(document.activeElement));
  const to = from < 0 && by < 0 ? regions.length - 1 : (from + by + regions.length) % regions.length;
  const region = regions[to];
  if (region) focusIn(region);
}

/** Moves the focus into a view that a command shows, unless it is there already. */
export function enterView(name: string): void {
  // After it was drawn, and after the focus of a removed view was restored.
  entering++;
  requestAnimationFrame(() => {
    entering--;
    const view = document.querySelector<HTMLElement>(`[data-view="${CSS.escape(name)}"]`);
    const { activeElement } = document;
    if (view && (view === activeElement || !view.contains(activeElement))) focusIn(view);
  });
}

function focusIn(part: HTMLElement): void {
  const before = last.get(part);
  const isThere = before !== undefined && before !== part && part.contains(before) && isVisible(before);
  const main = isThere ? before : mainOf(part);
  (main ?? (part.matches("[data-view]") ? entryOf(part) : firstControl(part)))?.focus();
}
