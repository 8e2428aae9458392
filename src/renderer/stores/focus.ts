import { create } from "zustand";

interface Focus {
  /** Station whose details are shown: focused in the list, or picked in another view. */
  readonly stationId: string | null;
}

export const useFocus = create<Focus>(() => ({ stationId: null }));

export function focusStation(stationId: string | null): void {
  useFocus.setState({ stationId });
}
