/** Colours and type of the style sheet, resolved for canvases and files. */
export interface PlotTheme {
  colour(token: string): string;
  /** Family names as a CSS list. */
  readonly fontFamily: string;
}

/** What the page shows now: light or dark. */
export function pageTheme(): PlotTheme {
  return themeOf(getComputedStyle(document.documentElement));
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
