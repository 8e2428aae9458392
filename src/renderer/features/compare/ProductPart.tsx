import { FileText } from "lucide-react";
import { useMemo, useState } from "react";
import { REPORT_FORMATS, type ReportFormat } from "#shared/comparison.ts";
import type { ProductComparison } from "#shared/bridge/methods/products.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import { shortName } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { saveBlob } from "../../stores/saveBlob.ts";
import { showFault } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState, FaultNote } from "../../ui/notes.tsx";
import { many } from "../../ui/text.ts";
import { chooseFiles } from "../files/open.ts";
import { useFiles } from "../files/store.ts";
import { useAnswer } from "../series/useAnswer.ts";
import classes from "./compare.module.css";
import { FigureCard } from "./FigureCard.tsx";
import { COLUMNS, type PartProps } from "./PairsPart.tsx";
import { ProductBar } from "./ProductBar.tsx";
import { type ProductQuery, queryOf } from "./productQuery.ts";
import { productSheet } from "./productSheet.ts";
import { ProductTable } from "./ProductTable.tsx";
import { SaveMenu } from "./SaveMenu.tsx";
import { StationLegend } from "./StationLegend.tsx";

const REST_MS = 200;

/** Cached stations held against an opened file. */
export function ProductPart(props: PartProps) {
  const { choices, onChange } = props;
  const files = useFiles((s) => s.files);
  const { openFiles: way } = useCapabilities();
  const usable = files.filter(({ series }) => series.some((s) => s.quantity.variable === choices.variable));
  const file = usable.find(({ id }) => id === choices.fileId) ?? usable[0];
  if (!file) {
    return (
      <EmptyState icon={<FileText aria-hidden />} title={`No open file contains ${shortName(choices.variable)}`}>
        Open a file of another product to compare it with the selected stations.
        {way === "none" ? null : <Button onPress={() => void chooseFiles(way)}>Open files</Button>}
      </EmptyState>
    );
  }
  return (
    <>
      <ProductBar files={usable} file={file} choices={choices} onChange={onChange} />
      <FilePart key={file.id} {...props} file={file} />
    </>
  );
}

function FilePart({ connectionId, compared, choices, file }: PartProps & { readonly file: OpenedFile }) {
  const [matchesMade, setMatchesMade] = useState(0);
  const query = queryOf({ connectionId, compared, choices }, file);
  const input = { ...query, columns: COLUMNS };
  const answer = useAnswer({
    key: JSON.stringify([input, matchesMade]),
    family: JSON.stringify([connectionId, file.id, query.variable, query.stationIds]),
    restMs: REST_MS,
    connectionId,
    stationIds: query.stationIds,
    ask: (signal) => bridge.products.compare(input, { signal }),
  });
  const found = answer.value;
  const sheet = useMemo(() => (found ? productSheet(found, compared, file.name) : null), [found, compared, file.name]);
  if (answer.fault) {
    return (
      <div className={classes["part"]}>
        <FaultNote fault={answer.fault} />
      </div>
    );
  }
  if (!found || !sheet) return <p className={classes["note"]}>Reading the cache and the file</p>;
  const match = async (stationId: string, siteId: string | null | undefined): Promise<void> => {
    const done = await bridge.products.match({ ...query, stationId, siteId });
    if (done.ok) setMatchesMade((n) => n + 1);
    else showFault(done.error);
  };
  return (
    <>
      <div className={classes["note"]}>
        <StationLegend stations={compared.stations} />
        <SaveMenu
          sheet={sheet}
          first={REPORT_FORMATS.map((format) => ({
            id: `report-${format}`,
            label: `Report as ${format.toUpperCase()}`,
            onAction: () => void saveReport(query, file, format),
          }))}
        />
      </div>
      <div className={classes["part"]} data-stale={answer.isLoading || undefined}>
        <p className={classes["quiet"]}>{stateOf(found)}</p>
        <ProductTable found={found} file={file} compared={compared} onMatch={(...chosen) => void match(...chosen)} />
        <div className={classes["figures"]}>
          {sheet.pictures.map((picture) => (
            <FigureCard key={picture.id} picture={picture} isWide={picture.readings !== undefined} />
          ))}
        </div>
        <section aria-label="Method" className={classes["quiet"]}>
          <h3>Method</h3>
          {found.method.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </section>
      </div>
    </>
  );
}

function stateOf({ sites, overall, b }: ProductComparison): string {
  const sentences = ["A is the station, B the file; all numbers are A − B."];
  if (sites.length === 0)
    sentences.push(
      "No selected station belongs to a site of this file by id, name or distance. Match one in the table.",
    );
  else if (overall.n === 0)
    sentences.push("There are no common epochs in this range. Choose hourly means, or a range that the file covers.");
  if (b.unmatched.length > 0) sentences.push(`${many(b.unmatched.length, "site")} of the file without a match.`);
  return sentences.join(" ");
}

const MEDIA_TYPES: Readonly<Record<ReportFormat, string>> = {
  html: "text/html;charset=utf-8",
  pdf: "application/pdf",
};

async function saveReport(query: ProductQuery, { name }: OpenedFile, format: ReportFormat): Promise<void> {
  const report = await bridge.products.report({ ...query, groupings: ["hour", "month", "height", "value"], format });
  if (!report.ok) return showFault(report.error);
  const plain = name.replace(/\.\w+$/, "").replaceAll(/[^\w.-]+/g, "-");
  saveBlob(new Blob([report.value], { type: MEDIA_TYPES[format] }), `comparison-${plain}.${format}`);
}
