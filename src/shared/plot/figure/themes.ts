import type { PlotTheme } from "../theme.ts";

/** Colours of figures, copied from the window's style sheet, to which the core has no access. */
export const FIGURE_COLOURS: Readonly<Record<"light" | "dark", Readonly<Record<string, string>>>> = {
  light: {
    "--surface": "#ffffff",
    "--line": "#dde2e8",
    "--line-strong": "#8b96a3",
    "--text": "#17212c",
    "--text-2": "#4d5967",
    "--text-3": "#626e7c",
    "--ok": "#177245",
    "--warn": "#8a5200",
    "--danger": "#b3261e",
    "--series-1": "#0072b2",
    "--series-2": "#c25700",
    "--series-3": "#00795a",
    "--series-4": "#a8478a",
    "--series-5": "#8a6d00",
    "--series-6": "#5c3317",
    "--series-7": "#5b4fb5",
    "--series-8": "#4f5b66",
  },
  dark: {
    "--surface": "#151b22",
    "--line": "#29323c",
    "--line-strong": "#6b7885",
    "--text": "#e3e8ed",
    "--text-2": "#aab5c0",
    "--text-3": "#8d99a6",
    "--ok": "#5ecb93",
    "--warn": "#eab65c",
    "--danger": "#ff8f86",
    "--series-1": "#56b4e9",
    "--series-2": "#f08a3c",
    "--series-3": "#3cc79a",
    "--series-4": "#e08fc2",
    "--series-5": "#e6cf4a",
    "--series-6": "#a68f6c",
    "--series-7": "#b7a5ff",
    "--series-8": "#b4bfca",
  },
};

/** Creates a theme for figures. @param fontFamily CSS list of family names */
export function figureTheme(name: "light" | "dark", fontFamily: string): PlotTheme {
  return {
    fontFamily,
    colour(token) {
      const colour = FIGURE_COLOURS[name][token];
      if (colour === undefined) throw new Error(`figures have no colour ${token}`);
      return colour;
    },
  };
}
