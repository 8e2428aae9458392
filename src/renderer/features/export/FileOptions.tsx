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

/** What is chosen of a format, besides its name. */
export interface FileChoices {
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
  { value: "file", label: "Name; all else in a second file of stations" },
] as const;

const LAYOUTS = [
  { value: "grid", label: "Grid: one time axis for all stations" },
  { value: "ragged", label: "Ragged: the rows of one station after another" },
] as const;

/** The choices as they are first, or as they were. */
export function fileChoices(
  before: Partial<Pick<ExportRequest, keyof FileChoices>> | null,
  heightReference: HeightReference,
): FileChoices {
  return {
    heightReference: before?.heightReference ?? heightReference,
    stationDetails: before?.stationDetails ?? "name",
    emptyRows: before?.emptyRows ?? false,
    layout: before?.layout ?? "grid",
  };
}

/** Those of the choices that a format has. */
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

/** What is asked of a format. */
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
