import { Radio, RadioGroup } from "react-aria-components";
import { EXPORT_FORMATS, type ExportFormat } from "#shared/file/export.ts";
import classes from "./export.module.css";
import { EXPORT_WORDS } from "./formats.ts";

interface FormatChoiceProps {
  readonly value: ExportFormat;
  /** Whether the shell can save a folder, as Zarr requires. */
  readonly takesFolders: boolean;
  readonly onChange: (format: ExportFormat) => void;
}

/** Chooses a format and describes its use. */
export function FormatChoice({ value, takesFolders, onChange }: FormatChoiceProps) {
  return (
    <div>
      <RadioGroup
        aria-label="Format"
        aria-describedby="export-use"
        className={classes["formats"]}
        value={value}
        onChange={(chosen) => onChange(chosen as ExportFormat)}
      >
        {EXPORT_FORMATS.filter((id) => takesFolders || id !== "zarr").map((id) => (
          <Radio key={id} value={id} className={classes["format"]}>
            <span className={classes["dot"]} />
            {EXPORT_WORDS[id].name}
          </Radio>
        ))}
      </RadioGroup>
      <p id="export-use" className={classes["use"]}>
        {EXPORT_WORDS[value].use}
      </p>
    </div>
  );
}
