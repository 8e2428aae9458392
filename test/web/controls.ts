// What runs in the page: each function is sent there by its text, and has nothing from outside of it.

/** A name for each kind of control in sight or to be scrolled to: rows of a list have the same kinds. */
export function controlKinds(): string[] {
  const modal = [...document.querySelectorAll("[role=dialog]")].at(-1);
  const kinds = new Set<string>();
  for (const control of (modal ?? document).querySelectorAll<HTMLElement>("button, input, a[href], select, textarea")) {
    const words = (
      control.getAttribute("aria-label") ??
      control.closest("label")?.textContent ??
      control.textContent
    ).trim();
    // What leaves the part, asks the system, or takes away what the others are tried on.
    if (/^(Sign out|Remove|Forget|Delete|Cancel|Close|Move|Rebuild|Explore|Change|Stop)/i.test(words)) continue;
    const kind = `${control.tagName} ${control.getAttribute("type")} ${control.className} ${words.replaceAll(/[\d.,:]+/g, "").slice(0, 14)}`;
    control.dataset["kind"] = kind;
    kinds.add(kind);
  }
  return [...kinds];
}

/** Gives all controls the focus, one after the other, and says where the document was scrolled. */
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

/** Presses the first and the last control of a kind, as far as they are there still. */
export function pressKind(kind: string): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-kind]")].filter((e) => e.dataset["kind"] === kind);
  for (const control of new Set([all.at(0), all.at(-1)])) {
    control?.focus();
    control?.scrollIntoView({ block: "center" });
    control?.click();
  }
}

/** What makes the document larger than the window, or could: boxes that scroll and leave what is hidden in them to the document. */
export function outOfPlace(): string[] {
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
    // What only cuts off has no bar by which its user could scroll it back. Hidden inputs lie in boxes of a pixel.
    const isCutting = !/auto|scroll/.test(overflowX + overflowY) && box.matches(":not(textarea, input, select)");
    if (isCutting && box.clientHeight > 2 && box.scrollTop + box.scrollLeft !== 0)
      found.push(`${box.className} cuts off, and is scrolled by ${box.scrollTop}, ${box.scrollLeft}`);
  }
  return found;
}
