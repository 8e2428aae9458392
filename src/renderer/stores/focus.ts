import { create } from "zustand";

interface Focus {
  /** Station whose details are shown: focused in the list, or picked in another view. */
  readonly stationId: string | null;
  /** Station of the list under the pointer. */
  readonly pointedId: string | null;
}

export const useFocus = create<Focus>(() => ({ stationId: null, pointedId: null }));

export function focusStation(stationId: string | null): void {
  useFocus.setState({ stationId });
}

export function pointAtStation(pointedId: string | null): void {
  useFocus.setState({ pointedId });
}
