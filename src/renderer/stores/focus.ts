import { create } from "zustand";

/** The station whose details are shown: the one under the keyboard in the list, or picked in another view. */
export const useFocus = create<{ readonly stationId: string | null }>(() => ({ stationId: null }));

export function focusStation(stationId: string | null): void {
  useFocus.setState({ stationId });
}
