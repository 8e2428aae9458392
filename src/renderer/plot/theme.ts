import type { PlotTheme } from "#shared/plot/theme.ts";

/** What the page shows now: light or dark. */
export function pageTheme(): PlotTheme {
  return themeOf(getComputedStyle(document.documentElement));
}

/** Calls back whenever the page shows another theme. @returns stops that */
export function followTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/** Calls back whenever an element has another size, or the page another theme. @returns stops that */
export function followLook(element: Element, onChange: () => void): () => void {
  const sizes = new ResizeObserver(onChange);
  sizes.observe(element);
  const stop = followTheme(onChange);
  return () => {
    sizes.disconnect();
    stop();
  };
}

/** One of the two themes, whichever the page shows. */
export function themeNamed(name: "light" | "dark"): PlotTheme {
  let probe = document.querySelector(`div[data-theme=${name}]`);
  if (!probe) {
    const added = document.createElement("div");
    added.dataset["theme"] = name;
    added.hidden = true;
    document.body.append(added);
    probe = added;
  }
  return themeOf(getComputedStyle(probe));
}

function themeOf(style: CSSStyleDeclaration): PlotTheme {
  const known = new Map<string, string>();
  return {
    colour(token) {
      const colour = known.get(token) ?? style.getPropertyValue(token).trim();
      known.set(token, colour);
      return colour;
    },
    fontFamily: style.getPropertyValue("--font").trim(),
  };
}
