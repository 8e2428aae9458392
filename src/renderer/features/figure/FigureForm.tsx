import { useEffect, useMemo, useState } from "react";
import {
  FIGURE_FORMATS,
  FIGURE_WIDTHS,
  type FigureSettings,
  LENGTH_UNITS,
  lengthIn,
  MAX_FIGURE_MM,
  MIN_FIGURE_MM,
  toMm,
} from "#shared/file/figure.ts";
import { type FigureSource, figurePage } from "#shared/plot/figure/page.ts";
import type { Scene } from "#shared/plot/figure/scene.ts";
import { success } from "#shared/service/error.ts";
import { useCall } from "../../ask/useCall.ts";
import { saveBlob } from "../../stores/saveBlob.ts";
import { useSettings } from "../../stores/settings.ts";
import { showToast } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox, Select, choicesFrom } from "../../ui/choices.tsx";
import { DialogActions, useClose, CloseButton } from "../../ui/Dialog.tsx";
import { NamedSegments, PreviewColumn } from "./PreviewColumn.tsx";
import { figureFile, pixelsPerUnit, provenance, themeOf, TOO_LARGE } from "./write.ts";
import classes from "./figure.module.css";
import { useDiscard, useIsInvalid } from "../../ui/InputScope.tsx";
import { AmountField, NumberField } from "../../ui/NumberField.tsx";
import { fieldsOf } from "../../ui/fieldsOf.ts";

const THEMES = choicesFrom({ light: "Light", dark: "Dark", screen: "As on the screen" });
const LEGENDS = choicesFrom({ top: "Above", bottom: "Below", none: "None" });
const FORMATS = FIGURE_FORMATS.map((value) => ({ value, label: value.toUpperCase() }));

/** Theme, legend, title and file format. */
function FigureLook({ settings, change }: FigureFields) {
  const field = fieldsOf(settings, change);
  return (
    <>
      <NamedSegments label="Theme" choices={THEMES} {...field("theme")} />
      <NamedSegments label="Legend" choices={LEGENDS} {...field("legend")} />
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        <Checkbox {...field("hasTitle")}>Title</Checkbox>
        <Checkbox {...field("hasSource")}>Source of the data</Checkbox>
      </div>
      <NamedSegments label="Format" choices={FORMATS} {...field("format")} />
      <p className="caption">{FORMAT_WORDS[settings.format]}</p>
    </>
  );
}

const FORMAT_WORDS = {
  png: "Pixels, with the resolution in the file.",
  svg: "Vectors, for browsers and drawing programs. The font is embedded.",
  pdf: "Vectors, for LaTeX and print. The font is embedded; text stays searchable.",
} as const;

/** The options, a preview, and buttons for saving and copying. */
export function FigureForm({ source }: { readonly source: FigureSource }) {
  const close = useClose();
  const settings = useSettings((s) => s.settings.figure);
  const [sourceText, setSourceText] = useState("");
  const { isBusy, fault, run, clearFault } = useCall();
  const isInvalid = useIsInvalid();
  const isHeld = isInvalid || isBusy;
  useEffect(() => {
    void provenance().then(setSourceText);
  }, []);
  const scene = useMemo(() => {
    return source.compose(figurePage(settings, themeOf(settings), sourceText, Date.now()));
  }, [source, settings, sourceText]);
  const change = (part: Partial<FigureSettings>): void => {
    clearFault();
    void useSettings.getState().change({ figure: { ...settings, ...part } });
  };
  const make = async (format: FigureSettings["format"]): Promise<Blob> => {
    const file = await figureFile(scene, settings, format);
    if (!file) throw new Error(TOO_LARGE);
    return file;
  };
  const save = () =>
    run(async () => {
      saveBlob(await make(settings.format), `${source.fileName}.${settings.format}`);
      close();
      return success(null);
    });
  const copy = () =>
    run(async () => {
      const png = make("png");
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]).catch(async () => {
        // A figure that could not be made says why.
        await png;
        throw new Error("The clipboard is unavailable here. Save the figure as a file.");
      });
      showToast("The figure was copied as PNG.");
      close();
      return success(null);
    });
  return (
    <>
      <div className={classes["columns"]}>
        <div className={classes["fields"]}>
          <FigureSize settings={settings} change={change} />
          <FigureLook settings={settings} change={change} />
        </div>
        <PreviewColumn
          scene={isInvalid ? null : scene}
          status={isInvalid ? "Correct the marked number to see the figure." : sizeWords(scene, settings)}
          problem={fault?.message ?? null}
        />
      </div>
      <DialogActions>
        <CloseButton />
        <Button isDisabled={isHeld} onPress={() => void copy()}>
          Copy as PNG
        </Button>
        <Button look="primary" autoFocus isDisabled={isHeld} onPress={() => void save()}>
          Save {settings.format.toUpperCase()}
        </Button>
      </DialogActions>
    </>
  );
}

/** Formats the size, with a note if the plots need more height: "177 × 92.4 mm, 2,091 × 1,091 pixels at 300 dpi". */
function sizeWords(scene: Scene, settings: FigureSettings): string {
  const { unit, widthMm, heightMm, dpi } = settings;
  const highMm = (widthMm / scene.width) * scene.height;
  const ratio = pixelsPerUnit(scene, settings);
  const [width, height] = [scene.width, scene.height].map((length) => Math.round(length * ratio));
  const lengthUnit = unit === "px" ? LENGTH_UNITS[0] : unit;
  const long = (mm: number): string => String(Math.round(lengthIn(lengthUnit, mm, dpi) * 100) / 100);
  const pixels = settings.format === "png" ? `, ${width} × ${height} pixels at ${dpi} dpi` : "";
  const grown = heightMm !== null && highMm > heightMm + 0.5 ? " The plots need this height." : "";
  return `${long(widthMm)} × ${long(highMm)} ${lengthUnit}${pixels}.${grown}`;
}

interface FigureFields {
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
function FigureSize({ settings, change }: FigureFields) {
  const { unit, widthMm, heightMm, dpi } = settings;
  const field = fieldsOf(settings, change);
  const discard = useDiscard();
  const shown = (mm: number): number => Math.round(lengthIn(unit, mm, dpi) * 100) / 100;
  const bounds = { min: shown(MIN_FIGURE_MM), max: shown(MAX_FIGURE_MM) };
  // The bounds are rounded in another unit.
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
          if (!width) return;
          discard();
          change({ widthMm: width.widthMm });
        }}
      />
      <div className={classes["row"]}>
        <AmountField
          label="Width"
          {...bounds}
          value={shown(widthMm)}
          onChange={(length) => change({ widthMm: clampedMm(length) })}
        />
        <NumberField
          label="Height"
          {...bounds}
          placeholder="automatic"
          value={heightMm === null ? null : shown(heightMm)}
          onChange={(length) => change({ heightMm: length === null ? null : clampedMm(length) })}
        />
        <Select label="Unit" showLabel choices={UNITS} {...field("unit")} />
      </div>
      <div className={classes["row"]}>
        <AmountField
          label="Resolution, dpi"
          value={dpi}
          min={50}
          max={1_200}
          onChange={(next) => change({ dpi: Math.round(next) })}
        />
        <AmountField label="Font size, pt" min={4} max={36} {...field("fontPt")} />
      </div>
    </>
  );
}
