import { z } from "zod";

export const FIGURE_FORMATS = ["png", "svg", "pdf"] as const;
export type FigureFormat = (typeof FIGURE_FORMATS)[number];
/** Formats that can be drawn without a window. */
export const VECTOR_FORMATS = ["svg", "pdf"] as const;
export type VectorFormat = (typeof VECTOR_FORMATS)[number];

export const LENGTH_UNITS = ["mm", "cm", "in", "px"] as const;
export type LengthUnit = (typeof LENGTH_UNITS)[number];

export const LEGEND_PLACES = ["top", "bottom", "none"] as const;
const FIGURE_THEMES = ["light", "dark", "screen"] as const;

const MM_PER_INCH = 25.4;
export const MIN_FIGURE_MM = 20;
export const MAX_FIGURE_MM = 1_000;

/** Last chosen settings of saved figures. Every field has a default. */
export const figureSettings = z.object({
  format: z.enum(FIGURE_FORMATS).catch("png").default("png"),
  unit: z.enum(LENGTH_UNITS).catch("mm").default("mm"),
  widthMm: z.number().min(MIN_FIGURE_MM).max(MAX_FIGURE_MM).catch(177).default(177),
  /** null: determined by the plots. */
  heightMm: z.number().min(MIN_FIGURE_MM).max(MAX_FIGURE_MM).nullable().catch(null).default(null),
  dpi: z.number().int().min(50).max(1_200).catch(300).default(300),
  fontPt: z.number().min(4).max(36).catch(8).default(8),
  hasTitle: z.boolean().catch(true).default(true),
  /** The lines on source and date below the figure. */
  hasSource: z.boolean().catch(true).default(true),
  legend: z.enum(LEGEND_PLACES).catch("top").default("top"),
  theme: z.enum(FIGURE_THEMES).catch("light").default("light"),
});
export type FigureSettings = z.output<typeof figureSettings>;

export const DEFAULT_FIGURE: FigureSettings = figureSettings.parse({});

interface FigureWidth {
  readonly id: string;
  readonly label: string;
  readonly widthMm: number;
}

/**
 * Figure widths of journals.
 *
 * Copernicus: the LaTeX package of its journals, figures of one and of two columns, and the width of its text.
 * AGU: a quarter and a full page by its requirements for graphics, 95 × 115 mm and 190 × 230 mm.
 * AMS: 19, 27, 33 and 39 picas by its figure guidelines; a pica is a sixth of an inch.
 */
export const FIGURE_WIDTHS: readonly FigureWidth[] = [
  { id: "copernicus-1", label: "Copernicus, one column (8.3 cm)", widthMm: 83 },
  { id: "copernicus-1.5", label: "Copernicus, medium (12 cm)", widthMm: 120 },
  { id: "copernicus-2", label: "Copernicus, two columns (17.7 cm)", widthMm: 177 },
  { id: "agu-1", label: "AGU, half width (95 mm)", widthMm: 95 },
  { id: "agu-2", label: "AGU, full width (190 mm)", widthMm: 190 },
  { id: "ams-1", label: "AMS, one column (19 picas)", widthMm: picasToMm(19) },
  { id: "ams-1.5", label: "AMS, medium (27 picas)", widthMm: picasToMm(27) },
  { id: "ams-1.75", label: "AMS, wide (33 picas)", widthMm: picasToMm(33) },
  { id: "ams-2", label: "AMS, two columns (39 picas)", widthMm: picasToMm(39) },
];

function picasToMm(picas: number): number {
  return Math.round((picas / 6) * MM_PER_INCH * 10) / 10;
}

/** Converts a length to a unit; pixels are those of the file. */
export function lengthIn(unit: LengthUnit, mm: number, dpi: number): number {
  return (mm / MM_PER_INCH) * unitsPerInch(unit, dpi);
}

export function toMm(unit: LengthUnit, length: number, dpi: number): number {
  return (length / unitsPerInch(unit, dpi)) * MM_PER_INCH;
}

function unitsPerInch(unit: LengthUnit, dpi: number): number {
  return { mm: MM_PER_INCH, cm: MM_PER_INCH / 10, in: 1, px: dpi }[unit];
}

/** Converts to PostScript points (1/72 inch). */
export function toPoints(mm: number): number {
  return (mm / MM_PER_INCH) * 72;
}
