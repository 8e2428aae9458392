import type { TimeRange } from "#shared/time/range.ts";
import { snapToUnits } from "../../plot/view.ts";
import { showRange, type ShownTime } from "../../stores/range.ts";
import { useWorkspace } from "../../stores/workspace.ts";

/** Rest after a movement before the view becomes the time range of all views. */
const SETTLE_MS = 200;

/** Applies movements of a plot to the time range of the workspace, and changes of that range to the plot. */
export class Moves {
  readonly #show: (range: TimeRange) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Range before the first movement; null if the view was not moved. */
  #home: ShownTime | null = null;
  /** The last range set by a movement. */
  #own: TimeRange | null = null;

  /** @param show moves the plot to a range */
  constructor(show: (range: TimeRange) => void) {
    this.#show = show;
  }

  /** Call when the user has moved the view. */
  onMove(view: TimeRange): void {
    this.#home ??= useWorkspace.getState();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#own = snapToUnits(view);
      showRange(this.#own);
    }, SETTLE_MS);
  }

  /** Call when the time range of the workspace has changed, by the plot or otherwise. */
  onRange(range: TimeRange): void {
    const own = this.#own;
    if (own !== null && own.startMs === range.startMs && own.endMs === range.endMs) return;
    clearTimeout(this.#timer);
    this.#home = null;
    this.#own = null;
    this.#show(range);
  }

  /** Returns to the range before the first movement. */
  reset(): void {
    if (this.#home === null) return;
    clearTimeout(this.#timer);
    const { range, moving } = this.#home;
    // A copy, so that a movement that has not come to rest, and so has not changed the range, is reset too.
    useWorkspace.setState({ range: { ...range }, moving });
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
