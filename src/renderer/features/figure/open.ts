import { create } from "zustand";
import type { FigureSource } from "#shared/plot/figure/page.ts";

/** The figure in the dialog “Save figure”; null while it is closed. */
export const useFigure = create<{ readonly source: FigureSource | null }>(() => ({ source: null }));

/** Opens the dialog for saving or copying a figure. */
export function saveFigure(source: FigureSource): void {
  useFigure.setState({ source });
}

export function closeFigure(): void {
  useFigure.setState({ source: null });
}
