// Functions that run in the page. Only their text is sent there, so that they cannot use anything outside.

/** Names each kind of control in the page; rows of a list share their kinds. */
export function controlKinds(): string[] {
  const modal = [...document.querySelectorAll("[role=dialog]")].at(-1);
  const kinds = new Set<string>();
  for (const control of (modal ?? document).querySelectorAll<HTMLElement>("button, input, a[href], select, textarea")) {
    const words = (
      control.getAttribute("aria-label") ??
      control.closest("label")?.textContent ??
      control.textContent
    ).trim();
    // Skip controls that leave the section, open a dialog of the system, or remove the content of other controls.
    if (/^(Sign out|Remove|Forget|Delete|Cancel|Close|Move|Rebuild|Explore|Change|Stop)/i.test(words)) continue;
    const kind = `${control.tagName} ${control.getAttribute("type")} ${control.className} ${words.replaceAll(/[\d.,:]+/g, "").slice(0, 14)}`;
    control.dataset["kind"] = kind;
    kinds.add(kind);
  }
  return [...kinds];
}

/** Focuses all controls one after the other, and reports movements of the document. */
export function focusAll(): string[] {
  const found: string[] = [];
  for (const control of document.querySelectorAll<HTMLElement>(
    "button, input, a[href], select, textarea, [tabindex]",
  )) {
    control.focus();
    const { scrollTop, scrollLeft } = document.documentElement;
    if (scrollTop + scrollLeft + document.body.scrollTop + document.body.scrollLeft === 0) continue;
    found.push(`scrolled by ${scrollTop} for ${control.outerHTML.slice(0, 200)}`);
    document.documentElement.scrollTo(0, 0);
  }
  return found;
}

/** Clicks the first and the last control of a kind, if they still exist. */
export function clickKind(kind: string): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-kind]")].filter((e) => e.dataset["kind"] === kind);
  for (const control of new Set([all.at(0), all.at(-1)])) {
    control?.focus();
    control?.scrollIntoView({ block: "center" });
    control?.click();
  }
}

/** Reports a scrolled document, a document larger than the window, and elements that could cause either. */
export function scrollProblems(): string[] {
  const { scrollTop, scrollLeft, scrollHeight, scrollWidth } = document.documentElement;
  const found: string[] = [];
  if (scrollTop !== 0 || scrollLeft !== 0) found.push(`scrolled by ${scrollTop}, ${scrollLeft}`);
  if (scrollHeight > innerHeight || scrollWidth > innerWidth) found.push(`${scrollWidth} by ${scrollHeight} large`);
  for (const box of document.querySelectorAll("body *")) {
    const { overflowX, overflowY, position } = getComputedStyle(box);
    if (
      position === "static" &&
      /auto|scroll/.test(overflowX + overflowY) &&
      box.matches(":not(textarea, input, select)")
    )
      found.push(`${box.className} scrolls and is not positioned`);
    // A clipping element has no scroll bar with which users could scroll it back. Hidden inputs are in elements of a
    // pixel.
    const isClipping = !/auto|scroll/.test(overflowX + overflowY) && box.matches(":not(textarea, input, select)");
    if (isClipping && box.clientHeight > 2 && box.scrollTop + box.scrollLeft !== 0)
      found.push(`${box.className} clips and is scrolled by ${box.scrollTop}, ${box.scrollLeft}`);
  }
  return found;
}
