// A part of the window that other parts replace has `data-view` with its name. Views contain views: a section of the
// window contains the panel of a tab.

/** A control as it can be found again after its view was left: it is then another element. */
interface Control {
  readonly tag: string;
  readonly role: string | null;
  readonly name: string;
}

/** A view that has the focus until it shows what should have it: most views do so only after the core has answered. */
let awaiting: { readonly view: HTMLElement; readonly find: () => HTMLElement | null } | null = null;

function stopAwaiting(): void {
  awaiting = null;
}

/** Returns what to focus in a view that is entered: what is found in it, else the view itself, until that is shown. */
export function entryOf(view: HTMLElement, find = (): HTMLElement | null => mainOf(view)): HTMLElement {
  const found = find();
  if (found) return found;
  makeFocusable(view);
  awaiting = { view, find };
  return view;
}

/** Returns the element of a part where the focus belongs that a command moves there: with `data-main`, or the first control in it. */
export function mainOf(part: HTMLElement): HTMLElement | null {
  const main = part.matches("[data-main]") ? part : part.querySelector<HTMLElement>("[data-main]");
  return !main || main.hasAttribute("tabindex") ? main : firstControl(main);
}

const TABBABLE = "a[href],button:not(:disabled),input:not(:disabled),select,textarea,[tabindex='0']";

export function firstControl(part: HTMLElement): HTMLElement | null {
  return [...part.querySelectorAll<HTMLElement>(TABBABLE)].find(isVisible) ?? null;
}

export function isVisible(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}

/** Finds where the focus belongs when a view replaces another. */
export function followViews() {
  /** Names of the views around an element while it had the focus, outermost first. */
  const viewsAround = new WeakMap<Element, readonly string[]>();
  /** The control that had the focus when a view was left; the view left last is the last. */
  const left = new Map<string, Control>();
  const stop = new AbortController();
  for (const action of ["keydown", "pointerdown"])
    addEventListener(action, stopAwaiting, { capture: true, signal: stop.signal });

  return {
    /** To be called with each element that receives the focus. */
    onFocus(element: Element): void {
      if (element !== awaiting?.view) stopAwaiting();
      viewsAround.set(element, namesAround(element));
    },
    /** To be called after each change of the document. */
    onChange(): void {
      if (awaiting === null || document.activeElement !== awaiting.view) return;
      awaiting.find()?.focus();
    },
    /**
     * Returns the element to focus if another view replaced the one of a removed element: the control that had the focus
     * when the new view was last left, else the main element, never just any button. Null if no view changed.
     */
    enter(removed: Element): HTMLElement | null {
      const before = viewsAround.get(removed) ?? [];
      const name = before.at(-1);
      const shown = [...document.querySelectorAll<HTMLElement>("[data-view]")];
      if (name === undefined || shown.some((view) => view.dataset["view"] === name)) return null;
      const control = controlOf(removed);
      left.delete(name);
      if (control) left.set(name, control);
      const entered = shown.filter((view) => !before.includes(view.dataset["view"] ?? ""));
      const view = entered.at(-1);
      if (!view) return null;
      for (const [viewName, kept] of [...left].toReversed()) {
        const within = entered.find((v) => v.dataset["view"] === viewName);
        if (within) return entryOf(view, () => findControl(within, kept));
      }
      return entryOf(view);
    },
    stop: () => stop.abort(),
  };
}

function namesAround(element: Element): readonly string[] {
  const names: string[] = [];
  for (let view = element.closest<HTMLElement>("[data-view]"); view;) {
    names.unshift(view.dataset["view"] ?? "");
    view = view.parentElement?.closest<HTMLElement>("[data-view]") ?? null;
  }
  return names;
}

/** Returns null for an element without a name, which could be mistaken for another. */
function controlOf(element: Element): Control | null {
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
  const name = (element.getAttribute("aria-label") ?? label ?? "").trim();
  return name === "" ? null : { tag: element.tagName, role: element.getAttribute("role"), name };
}

function findControl(within: HTMLElement, { tag, role, name }: Control): HTMLElement | null {
  const all = [within, ...within.querySelectorAll<HTMLElement>(tag)];
  const isSame = (found: Control | null): boolean => found?.tag === tag && found.role === role && found.name === name;
  return all.find((element) => isSame(controlOf(element)) && element.checkVisibility()) ?? null;
}

/** Lets an element have the focus, but only until it loses it, so that a click on it does not move the focus there. */
function makeFocusable(element: HTMLElement): void {
  if (element.hasAttribute("tabindex")) return;
  element.tabIndex = -1;
  element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
}
