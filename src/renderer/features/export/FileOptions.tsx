import {
  ARRAY_FORMATS,
  DETAILED_FORMATS,
  type ExportRequest,
  type FileLayout,
  type StationDetails,
  TABLE_FORMATS,
} from "#shared/file/export.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import { Select, Switch } from "../../ui/choices.tsx";

/** Options of a file, apart from its format. */
interface FileChoices {
  readonly heightReference: HeightReference;
  readonly stationDetails: StationDetails;
  readonly emptyRows: boolean;
  readonly layout: FileLayout;
}

const HEIGHTS = [
  { value: "WGS84_ELLIPSOID", label: "Above the WGS 84 ellipsoid" },
  { value: "EGM2008", label: "Above mean sea level (EGM2008)" },
] as const;

const DETAILS = [
  { value: "name", label: "Name beside the id" },
  { value: "columns", label: "Name, latitude, longitude and height in columns" },
  { value: "file", label: "Name; details in a second file of stations" },
] as const;

const LAYOUTS = [
  { value: "grid", label: "Grid: one time axis for all stations" },
  { value: "ragged", label: "Ragged: the stations one after another" },
] as const;

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
  };
}

/** Returns the options that apply to a format. */
export function choicesOf(
  format: ExportRequest["format"],
  { heightReference, stationDetails, emptyRows, layout }: FileChoices,
): Pick<ExportRequest, keyof FileChoices> {
  return {
    heightReference,
    ...(ARRAY_FORMATS.has(format) ? { layout } : {}),
    ...(DETAILED_FORMATS.has(format) ? { stationDetails } : {}),
    ...(TABLE_FORMATS.has(format) ? { emptyRows } : {}),
  };
}

interface FileOptionsProps {
  readonly format: ExportRequest["format"];
  readonly choices: FileChoices;
  readonly onChange: (part: Partial<FileChoices>) => void;
}

/** The controls for the options that apply to a format. */
export function FileOptions({ format, choices, onChange }: FileOptionsProps) {
  const { heightReference, stationDetails, emptyRows, layout } = choices;
  return (
    <>
      <Select
        label="Heights of the stations"
        showLabel
        choices={HEIGHTS}
        value={heightReference}
        onChange={(value) => onChange({ heightReference: value })}
      />
      {ARRAY_FORMATS.has(format) ? (
        <Select
          label="Layout"
          showLabel
          choices={LAYOUTS}
          value={layout}
          onChange={(value) => onChange({ layout: value })}
        />
      ) : null}
      {DETAILED_FORMATS.has(format) ? (
        <Select
          label="Stations in the table"
          showLabel
          choices={DETAILS}
          value={stationDetails}
          onChange={(value) => onChange({ stationDetails: value })}
        />
      ) : null}
      {TABLE_FORMATS.has(format) ? (
        <Switch isSelected={emptyRows} onChange={(value) => onChange({ emptyRows: value })}>
          Keep rows without any value
        </Switch>
      ) : null}
    </>
  );
}
