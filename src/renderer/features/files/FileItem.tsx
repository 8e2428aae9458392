import { Info, type LucideProps, TriangleAlert, X } from "lucide-react";
import { type FileSeries, type OpenedFile, OPENED_FORMATS } from "#shared/file/opened.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/choices.tsx";
import { Facts } from "../../ui/layout.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { bytes, count, many, utc } from "../../ui/text.ts";
import { openDialog } from "../../stores/dialogs.ts";
import classes from "./files.module.css";
import { LineSample } from "./FileLegend.tsx";
import { fileLines, lineIdOf } from "./fileLines.ts";
import { addSeries, removeSeries, useShownSeries } from "./shownSeries.ts";
import { closeFile, needsColumns } from "./open.ts";

interface FileItemProps {
  readonly file: OpenedFile;
  readonly query: string;
  readonly ticked: ReadonlySet<string>;
}

/** Maximum number of series listed; further ones can be searched. */
const MAX_ROWS = 200;
/** An opened file and its series, each with a checkbox that draws it. */
export function FileItem({ file, query, ticked }: FileItemProps) {
  const found = file.series.filter((series) => matches(series, query));
  const lines = fileLines(
    useShownSeries(),
    useWorkspace((s) => s.slots),
  );
  return (
    <section aria-label={file.name} className="border-t border-line">
      <header className={`${classes["fileHead"]} row gap-1 h-8 pr-2 pl-3`}>
        <h3 title={file.name}>{file.name}</h3>
        <span className={classes["quiet"]}>{bytes(file.bytes)}</span>
        <Flyout
          label={`About ${file.name}`}
          placement="bottom end"
          button={
            <IconButton
              label={
                file.notes.length > 0
                  ? `About ${file.name}, with ${many(file.notes.length, "note")}`
                  : `About ${file.name}`
              }
              icon={file.notes.length > 0 ? Warning : Info}
            />
          }
        >
          <About file={file} />
        </Flyout>
        <IconButton label={`Close ${file.name}`} onPress={() => void closeFile(file)} icon={X} />
      </header>
      <ul className="list-none">
        {found.slice(0, MAX_ROWS).map((series) => {
          const lineId = lineIdOf(file.id, series.id);
          const look = lines.find((line) => line.lineId === lineId)?.look;
          const { name, unit, longName } = series.quantity;
          return (
            <li key={series.id} className={`${classes["row"]} row gap-2 h-7 px-3 text-small`}>
              <Checkbox
                value={ticked.has(lineId)}
                isDisabled={series.range === null}
                onChange={(isShown) => (isShown ? addSeries([lineId]) : removeSeries([lineId]))}
              >
                <span className={classes["name"]} title={series.label}>
                  {series.label}
                </span>
                <span className="truncate flex-none max-w-[50%] text-quiet" title={longName ?? name}>
                  {unit === null ? name : `${name} ${unit}`}
                </span>
              </Checkbox>
              {look ? <LineSample {...look} /> : null}
              <span className="flex-none min-w-14 text-faint text-right">
                {series.range === null ? "no rows" : count(series.rows)}
              </span>
            </li>
          );
        })}
      </ul>
      {needsColumns(file) ? (
        <p className={classes["said"]}>
          <Button onPress={() => openDialog({ kind: "columns", file })}>Choose columns…</Button>
        </p>
      ) : found.length === 0 ? (
        <p className={classes["said"]}>No series matches these words.</p>
      ) : null}
      {found.length > MAX_ROWS ? (
        <p className={classes["said"]}>and {many(found.length - MAX_ROWS, "more", "more")}: search for them</p>
      ) : null}
    </section>
  );
}

function About({ file }: { readonly file: OpenedFile }) {
  const starts = file.series.flatMap(({ range }) => range?.startMs ?? []);
  const ends = file.series.flatMap(({ range }) => range?.endMs ?? []);
  const stations = new Set(file.series.map(({ label }) => label)).size;
  return (
    <div className="max-w-[420px] select-text">
      <Facts
        facts={[
          ...(file.title === null ? [] : [{ label: "Title", value: file.title }]),
          ...(file.source === null ? [] : [{ label: "Source", value: file.source }]),
          { label: "Format", value: `${OPENED_FORMATS[file.format]}, ${bytes(file.bytes)}` },
          { label: "Series", value: `${count(file.series.length)} of ${many(stations, "station")}` },
          ...(starts.length === 0
            ? []
            : [
                { label: "From", value: `${utc(Math.floor(Math.min(...starts)))} UTC` },
                { label: "To", value: `${utc(Math.ceil(Math.max(...ends)) - 1)} UTC` },
              ]),
          ...conversions(file).map((value) => ({ label: "Converted", value })),
        ]}
      />
      {file.table ? (
        <Button slot="close" onPress={() => openDialog({ kind: "columns", file })}>
          Choose columns…
        </Button>
      ) : null}
      {file.notes.length === 0 ? null : (
        <ul className="caption mt-2 pl-4" aria-label="Notes">
          {file.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns the conversions applied to values of the file, without duplicates. */
function conversions({ series }: OpenedFile): readonly string[] {
  return [
    ...new Set(
      series.flatMap(({ quantity }) => (quantity.conversion ? [`${quantity.name}: ${quantity.conversion}`] : [])),
    ),
  ];
}

function matches({ label, satellite, quantity }: FileSeries, query: string): boolean {
  const text = [label, satellite, quantity.name, quantity.longName, quantity.unit].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Warning(props: LucideProps) {
  return <TriangleAlert {...props} className="text-warn" />;
}
