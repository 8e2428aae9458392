import type { Constellation, MarkShape } from "../constellations.ts";

const PATHS: Readonly<Record<MarkShape, string>> = {
  circle: "M12 6a4 4 0 1 1-8 0a4 4 0 1 1 8 0",
  square: "M4.4 2.4h7.2v7.2h-7.2z",
  triangle: "M8 1.4l4.4 8h-8.8z",
  down: "M8 10.6l4.4-8h-8.8z",
  diamond: "M8 .8l4.4 5.2l-4.4 5.2l-4.4-5.2z",
  cross: "M6.4 2h3.2v2.4h2.4v3.2h-2.4v2.4h-3.2v-2.4h-2.4v-3.2h2.4z",
};

/** Colour and shape of a constellation, as the figures have them. */
export function MarkSwatch({ constellation }: { readonly constellation: Constellation }) {
  return (
    <svg aria-hidden width="16" height="12" viewBox="0 0 16 12">
      <path d={PATHS[constellation.shape]} fill={`var(${constellation.colour})`} />
    </svg>
  );
}
