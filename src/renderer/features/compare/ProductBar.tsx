import type { OpenedFile } from "#shared/file/opened.ts";
import { Select } from "../../ui/choices.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import type { Choices } from "./choices.ts";
import classes from "./compare.module.css";

const PAIRING_CHOICES = [
  { value: "nearest", label: "Nearest rows" },
  { value: "hour", label: "Hourly means" },
  { value: "sixHours", label: "6-hour means" },
  { value: "linear", label: "Interpolated" },
] as const;
const REJECTED_CHOICES = [
  { value: "none", label: "All pairs" },
  { value: "10", label: "Within 10 σ" },
  { value: "5", label: "Within 5 σ" },
  { value: "3", label: "Within 3 σ" },
] as const;
const HEIGHT_CHOICES = [
  { value: "none", label: "Heights as they are" },
  { value: "saastamoinen", label: "File moved to station height" },
] as const;

interface ProductBarProps {
  readonly files: readonly OpenedFile[];
  readonly file: OpenedFile;
  readonly choices: Choices;
  readonly onChange: (change: Partial<Choices>) => void;
}

/** Which file, and how its rows and sites are set against the stations. */
export function ProductBar({ files, file, choices, onChange }: ProductBarProps) {
  return (
    <div className={classes["bar"]} role="group" aria-label="How the file is compared">
      <span className={classes["named"]}>
        File
        <Select
          label="File"
          choices={files.map(({ id, name }) => ({ value: id, label: name }))}
          value={file.id}
          onChange={(fileId) => onChange({ fileId })}
        />
      </span>
      <Select
        label="Pairs of epochs"
        choices={PAIRING_CHOICES}
        value={choices.pairing}
        onChange={(pairing) => onChange({ pairing })}
      />
      <Select
        label="Outliers"
        choices={REJECTED_CHOICES}
        value={choices.rejected}
        onChange={(rejected) => onChange({ rejected })}
      />
      {choices.variable === "ztd_sigma" ? null : (
        <Select
          label="Height correction"
          choices={HEIGHT_CHOICES}
          value={choices.height}
          onChange={(height) => onChange({ height })}
        />
      )}
      <span className={classes["named"]}>
        Within, km
        <span className={classes["input"]}>
          <NumberField
            label="Largest distance of a match, km"
            isLabelHidden
            value={choices.withinKm}
            min={0}
            max={20_000}
            onChange={(withinKm) => withinKm !== null && onChange({ withinKm })}
          />
        </span>
      </span>
    </div>
  );
}
