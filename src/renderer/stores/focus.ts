import { create } from "zustand";

interface Focus {
  /** Station whose details are shown: focused in the list, or picked in another view. */
  readonly stationId: string | null;
  /** Station under the pointer in the list. */
  readonly hoveredId: string | null;
}

export const useFocus = create<Focus>(() => ({ stationId: null, hoveredId: null }));

export function focusStation(stationId: string | null): void {
  useFocus.setState({ stationId });
}

export function hoverStation(hoveredId: string | null): void {
  if (hoveredId !== useFocus.getState().hoveredId) useFocus.setState({ hoveredId });
}
