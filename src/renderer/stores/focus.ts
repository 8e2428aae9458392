import { create } from "zustand";

interface Focus {
  /** The station whose details are shown: the one under the keyboard in the list, or picked in another view. */
  readonly stationId: string | null;
  /** The station of the list that the pointer is on. */
  readonly pointedId: string | null;
}

export const useFocus = create<Focus>(() => ({ stationId: null, pointedId: null }));

export function focusStation(stationId: string | null): void {
  useFocus.setState({ stationId });
}

export function pointAtStation(pointedId: string | null): void {
  if (pointedId !== useFocus.getState().pointedId) useFocus.setState({ pointedId });
}
