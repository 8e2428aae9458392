import type { ReactNode } from "react";
import { FIGURE_FORMATS } from "#shared/file/figure.ts";
import { Checkbox, Segments } from "../../ui/choices.tsx";
import classes from "./figure.module.css";
import type { FigureFields } from "./FigureSize.tsx";

const THEMES = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "screen", label: "As on the screen" },
] as const;
const LEGENDS = [
  { value: "top", label: "Above" },
  { value: "bottom", label: "Below" },
  { value: "none", label: "None" },
] as const;
const FORMATS = FIGURE_FORMATS.map((value) => ({ value, label: value.toUpperCase() }));

/** Theme, legend, title and file format. */
export function FigureLook({ settings, change }: FigureFields) {
  return (
    <>
      <Named name="Theme">
        <Segments label="Theme" choices={THEMES} value={settings.theme} onChange={(theme) => change({ theme })} />
      </Named>
      <Named name="Legend">
        <Segments label="Legend" choices={LEGENDS} value={settings.legend} onChange={(legend) => change({ legend })} />
      </Named>
      <div className={classes["ticks"]}>
        <Checkbox isSelected={settings.hasTitle} onChange={(hasTitle) => change({ hasTitle })}>
          Title
        </Checkbox>
        <Checkbox isSelected={settings.hasSource} onChange={(hasSource) => change({ hasSource })}>
          Source of the data
        </Checkbox>
      </div>
      <Named name="Format">
        <Segments label="Format" choices={FORMATS} value={settings.format} onChange={(format) => change({ format })} />
      </Named>
      <p className={classes["size"]}>{FORMAT_WORDS[settings.format]}</p>
    </>
  );
}

const FORMAT_WORDS = {
  png: "Pixels, with the resolution in the file.",
  svg: "Vectors, for browsers and drawing programs. The font is embedded.",
  pdf: "Vectors, for LaTeX and print. Text is in Helvetica and stays searchable.",
} as const;

function Named({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes["named"]}>
      <span aria-hidden>{name}</span>
      {children}
    </div>
  );
}
