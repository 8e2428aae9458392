import { Radio, RadioGroup } from "react-aria-components";
import type { ExportRequest, FileLayout, StationDetails, TimeSystem } from "#shared/file/export.ts";
import { EXPORT_FORMATS, type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import { Select, Switch, choicesFrom } from "../../ui/choices.tsx";
import classes from "./export.module.css";
import { fieldsOf } from "../../ui/fieldsOf.ts";

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
        className="stack"
        value={value}
        onChange={(chosen) => onChange(chosen as ExportFormat)}
      >
        {EXPORT_FORMATS.filter((id) => takesFolders || id !== "zarr").map((id) => (
          <Radio
            key={id}
            value={id}
            className={`${classes["format"]} row gap-2 min-h-7 px-2 rounded-box cursor-default`}
          >
            <span
              className={`${classes["dot"]} flex-none w-3.5 h-3.5 border border-line-strong rounded-full bg-surface`}
            />
            {FORMATS[id].name}
          </Radio>
        ))}
      </RadioGroup>
      <p id="export-use" className={classes["use"]}>
        {FORMATS[value].use}
      </p>
    </div>
  );
}

/** Options of a file, apart from its format. */
interface FileChoices {
  readonly heightReference: HeightReference;
  readonly stationDetails: StationDetails;
  readonly emptyRows: boolean;
  readonly layout: FileLayout;
  readonly timeSystem: TimeSystem;
}

const HEIGHTS = choicesFrom({
  WGS84_ELLIPSOID: "Above the WGS 84 ellipsoid",
  EGM2008: "Above mean sea level (EGM2008)",
});

const DETAILS = [
  { value: "name", label: "Name beside the id" },
  { value: "columns", label: "Name, latitude, longitude and height in columns" },
  { value: "file", label: "Name; details in a second file of stations" },
] as const;

const LAYOUTS = choicesFrom({
  grid: "Grid: one time axis for all stations",
  ragged: "Ragged: the stations one after another",
});

const SYSTEMS = choicesFrom({ utc: "UTC", gps: "GPS time: 18 s ahead of UTC since 2017" });

/** Returns the previous options, or the defaults. */
export function fileChoices(
  previous: Partial<Pick<ExportRequest, keyof FileChoices>> | null,
  heightReference: HeightReference,
): FileChoices {
  return {
    heightReference: previous?.heightReference ?? heightReference,
    stationDetails: previous?.stationDetails ?? "name",
    emptyRows: previous?.emptyRows ?? false,
    layout: previous?.layout ?? "grid",
    timeSystem: previous?.timeSystem ?? "utc",
  };
}

/** Returns the options that apply to a format. */
export function choicesOf(
  format: ExportRequest["format"],
  { heightReference, stationDetails, emptyRows, layout, timeSystem }: FileChoices,
): Pick<ExportRequest, keyof FileChoices> {
  return {
    heightReference,
    ...(FORMATS[format].kind === "array" ? { layout } : {}),
    ...(FORMATS[format].hasDetails === true ? { stationDetails } : {}),
    ...(FORMATS[format].kind === "table" ? { emptyRows } : {}),
    ...(format === "sinex" ? { timeSystem } : {}),
  };
}

interface FileOptionsProps {
  readonly format: ExportRequest["format"];
  readonly choices: FileChoices;
  readonly onChange: (part: Partial<FileChoices>) => void;
}

/** The controls for the options that apply to a format. */
export function FileOptions({ format, choices, onChange }: FileOptionsProps) {
  const field = fieldsOf(choices, onChange);
  return (
    <>
      <Select label="Heights of the stations" showLabel choices={HEIGHTS} {...field("heightReference")} />
      {FORMATS[format].kind === "array" ? (
        <Select label="Layout" showLabel choices={LAYOUTS} {...field("layout")} />
      ) : null}
      {format === "sinex" ? <Select label="Times" showLabel choices={SYSTEMS} {...field("timeSystem")} /> : null}
      {FORMATS[format].hasDetails === true ? (
        <Select label="Stations in the table" showLabel choices={DETAILS} {...field("stationDetails")} />
      ) : null}
      {FORMATS[format].kind === "table" ? <Switch {...field("emptyRows")}>Keep rows without any value</Switch> : null}
    </>
  );
}
