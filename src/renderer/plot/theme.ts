import type { PlotTheme } from "#shared/plot/theme.ts";

export function pageTheme(): PlotTheme {
  return themeOf(getComputedStyle(document.documentElement));
}

/** @returns a function that unsubscribes */
export function onThemeChange(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/** Returns a theme by name, independent of the theme of the page. */
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
