import {
  FIGURE_WIDTHS,
  type FigureSettings,
  MIN_FIGURE_MM,
  LENGTH_UNITS,
  lengthIn,
  MAX_FIGURE_MM,
  toMm,
} from "#shared/file/figure.ts";
import { Select } from "../../ui/choices.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import classes from "./figure.module.css";

export interface FigureFields {
  readonly settings: FigureSettings;
  readonly change: (part: Partial<FigureSettings>) => void;
}

const CUSTOM = "own";
const WIDTHS = [
  { value: CUSTOM, label: "Custom width" },
  ...FIGURE_WIDTHS.map(({ id, label }) => ({ value: id, label })),
];
const UNITS = LENGTH_UNITS.map((value) => ({ value, label: value }));

/** Width, height, unit, resolution and font size of a figure. */
export function FigureSize({ settings, change }: FigureFields) {
  const { unit, widthMm, heightMm, dpi, fontPt } = settings;
  const shown = (mm: number): number => Math.round(lengthIn(unit, mm, dpi) * 100) / 100;
  const limits = { min: shown(MIN_FIGURE_MM), max: shown(MAX_FIGURE_MM) };
  // The limits are rounded in another unit.
  const clampedMm = (length: number): number =>
    Math.min(MAX_FIGURE_MM, Math.max(MIN_FIGURE_MM, toMm(unit, length, dpi)));
  const preset = FIGURE_WIDTHS.find((w) => Math.abs(w.widthMm - widthMm) < 0.05)?.id ?? CUSTOM;
  return (
    <>
      <Select
        label="Column width"
        showLabel
        choices={WIDTHS}
        value={preset}
        onChange={(id) => {
          const width = FIGURE_WIDTHS.find((w) => w.id === id);
          if (width) change({ widthMm: width.widthMm });
        }}
      />
      <div className={classes["row"]}>
        <NumberField
          label="Width"
          {...limits}
          value={shown(widthMm)}
          onChange={(length) => length !== null && change({ widthMm: clampedMm(length) })}
        />
        <NumberField
          label="Height"
          {...limits}
          placeholder="automatic"
          value={heightMm === null ? null : shown(heightMm)}
          onChange={(length) => change({ heightMm: length === null ? null : clampedMm(length) })}
        />
        <Select label="Unit" showLabel choices={UNITS} value={unit} onChange={(next) => change({ unit: next })} />
      </div>
      <div className={classes["row"]}>
        <NumberField
          label="Resolution, dpi"
          value={dpi}
          min={50}
          max={1_200}
          onChange={(next) => next !== null && change({ dpi: Math.round(next) })}
        />
        <NumberField
          label="Font size, pt"
          value={fontPt}
          min={4}
          max={36}
          onChange={(next) => next !== null && change({ fontPt: next })}
        />
      </div>
    </>
  );
}
