import { create } from "zustand";
import type { FigureSource } from "#shared/plot/figure/page.ts";

/** The plot that the dialog “Save figure” shows; null while it is closed. */
export const useFigure = create<{ readonly source: FigureSource | null }>(() => ({ source: null }));

/** Opens the dialog with which a plot is saved or copied. */
export function saveFigure(source: FigureSource): void {
  useFigure.setState({ source });
}

export function closeFigure(): void {
  useFigure.setState({ source: null });
}
