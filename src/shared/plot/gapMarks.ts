import type { GapCause } from "#shared/series/gap.ts";

/** A hatch pattern: a repeated tile of strokes and dots. */
interface Hatch {
  readonly size: number;
  /** x1, y1, x2, y2 of each stroke; slanted ones extend beyond the tile, so that adjacent tiles join. */
  readonly strokes: readonly (readonly [number, number, number, number])[];
  readonly dots: readonly (readonly [number, number])[];
  readonly width: number;
}

export interface GapMark {
  readonly cause: GapCause;
  /** Label in legends and plots. */
  readonly word: string;
  /** The word in the place of a value, where it is too long. */
  readonly short?: string;
  /** A sentence. */
  readonly meaning: string;
  /** What would tell more, a sentence. */
  readonly advice?: string;
  /** Token of the stroke colour. */
  readonly colour: `--${string}`;
  /** Opacity of the background in the same colour, 0 to 1. */
  readonly ground: number;
  readonly hatch: Hatch;
}

const RISING: Hatch["strokes"] = [
  [0, 8, 8, 0],
  [-4, 4, 4, -4],
  [4, 12, 12, 4],
];
const FALLING: Hatch["strokes"] = [
  [0, 0, 8, 8],
  [-4, 4, 4, 12],
  [4, -4, 12, 4],
];

const WAVES: Hatch["strokes"] = [
  [-0.5, 1, 3, 4.5],
  [3, 4.5, 6.5, 1],
];
const MESH: Hatch["strokes"] = [
  [0, 0, 4, 4],
  [0, 4, 4, 0],
  [-2, 2, 2, -2],
  [2, 6, 6, 2],
];

function hatch(part: Partial<Hatch>): Hatch {
  return { size: 8, strokes: [], dots: [], width: 1, ...part };
}

/** Marks of gaps, the same in every view and file, in the order of the legend. */
export const GAP_MARKS: readonly GapMark[] = [
  {
    cause: "notRequested",
    word: "not downloaded",
    meaning: "Not downloaded. Click a mark to fetch it.",
    colour: "--text-3",
    ground: 0.05,
    hatch: hatch({ strokes: RISING }),
  },
  {
    cause: "nothingSent",
    word: "nothing sent",
    meaning: "The station sent no observations.",
    colour: "--text-3",
    ground: 0.08,
    hatch: hatch({
      dots: [
        [2, 2],
        [6, 6],
      ],
      width: 1.4,
    }),
  },
  {
    cause: "filteredOut",
    word: "filtered out",
    meaning: "Observations exist, but the quality filter rejects them.",
    colour: "--warn",
    ground: 0.1,
    hatch: hatch({ strokes: FALLING }),
  },
  {
    cause: "nothingOrFiltered",
    word: "missing (cause unknown)",
    short: "cause unknown",
    meaning: "The station sent nothing, or the quality filter rejected what it sent.",
    advice: "Fetch raw data to find out.",
    colour: "--warn",
    ground: 0.06,
    hatch: hatch({ size: 6, strokes: WAVES }),
  },
  {
    cause: "failed",
    word: "failed",
    meaning: "The download failed. The reason is under Downloads and exports.",
    colour: "--danger",
    ground: 0.1,
    hatch: hatch({ size: 4, strokes: MESH, width: 0.9 }),
  },
  {
    cause: "mayStillArrive",
    word: "missing, may still arrive",
    short: "may still arrive",
    meaning:
      "The service had nothing there. It is requested again until a second answer agrees and the time is two days past.",
    colour: "--ok",
    ground: 0.08,
    hatch: hatch({ strokes: [[2, 0, 2, 8]] }),
  },
  {
    cause: "noAccess",
    word: "no access",
    meaning: "The key has no access to this station.",
    colour: "--danger",
    ground: 0.06,
    hatch: hatch({ strokes: [[0, 2, 8, 2]] }),
  },
  {
    cause: "beforeHistory",
    word: "before history",
    meaning: "Before the station’s first observation.",
    colour: "--text-3",
    ground: 0.18,
    hatch: hatch({}),
  },
];

const BY_CAUSE = new Map(GAP_MARKS.map((mark) => [mark.cause, mark]));

export function gapMark(cause: GapCause): GapMark {
  const mark = BY_CAUSE.get(cause);
  if (!mark) throw new Error(`no mark for ${cause}`);
  return mark;
}
