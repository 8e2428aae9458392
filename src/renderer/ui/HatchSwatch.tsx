import { useId } from "react";
import type { GapMark } from "#shared/plot/gapMarks.ts";

/** A sample of the hatching that marks a cause of missing data, for legends. */
export function HatchSwatch({ mark, width = 20, height = 12 }: { mark: GapMark; width?: number; height?: number }) {
  const id = useId();
  const { hatch } = mark;
  const colour = `var(${mark.colour})`;
  return (
    <svg aria-hidden width={width} height={height}>
      <pattern id={id} width={hatch.size} height={hatch.size} patternUnits="userSpaceOnUse">
        <rect width={hatch.size} height={hatch.size} fill={colour} fillOpacity={mark.ground} />
        {hatch.strokes.map((stroke) => (
          <line
            key={stroke.join(" ")}
            x1={stroke[0]}
            y1={stroke[1]}
            x2={stroke[2]}
            y2={stroke[3]}
            stroke={colour}
            strokeWidth={hatch.width}
          />
        ))}
        {hatch.dots.map(([x, y]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={hatch.width} fill={colour} />
        ))}
      </pattern>
      <rect x="0.5" y="0.5" width={width - 1} height={height - 1} fill={`url(#${id})`} stroke="var(--line-strong)" />
    </svg>
  );
}
