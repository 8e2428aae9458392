import { FileText } from "lucide-react";
import { useMemo } from "react";
import type { SiteStatistics } from "#shared/comparison.ts";
import type { ProductComparison } from "#shared/bridge/methods/products.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import { shortName, variableInfo } from "#shared/service/variables.ts";
import type { CsvColumns } from "#shared/file/csv.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { useConnection, useConnectionId } from "../../stores/connection.ts";
import { saveBlob } from "../../stores/saveBlob.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { count, decimal, many } from "../../ui/text.ts";
import { chooseFiles } from "../files/open.ts";
import { useFiles } from "../files/store.ts";
import { comparisonOf } from "../../ask/questions.ts";
import { shownOf, useAsk } from "../../ask/useAsk.ts";
import { Figures } from "./FigureCard.tsx";
import { ProductBar } from "./ProductBar.tsx";
import {
  connectionProduct,
  hasPressure,
  isDerived,
  isUsable,
  type Product,
  type ProductQuery,
  type Products,
  productsOf,
  queryOf,
} from "./productQuery.ts";
import { ProductTable } from "./ProductTable.tsx";
import { PartFrame, type PartProps, PLOT_COLUMNS, REST_MS } from "./PartFrame.tsx";
import { CHOICES, type ComparedStations } from "./useCompared.ts";
import { drawLines, type Lines, readingsOf } from "./figures/lines.ts";
import type { Picture } from "./figures/picture.ts";
import { drawScatter } from "#shared/plot/figure/scatter.ts";
import { itemTable, type Sheet } from "./save.ts";
import { signed } from "./format.ts";

/** Maximum number of rows in the table. */
const MAX_SITES = 100;

/** Cached stations or an opened file, compared with another file or the cache of another connection. */
export function ProductPart(props: PartProps) {
  const { compared, choices } = props;
  const connectionId = useConnectionId();
  const files = useFiles((s) => s.files);
  const { openFiles: way } = useCapabilities();
  const usable = files.filter((file) => isUsable(file, choices.variable));
  const pressures = files.filter(hasPressure);
  // The chosen file may have been closed.
  const pressureFileId = pressures.find(({ id }) => id === choices.pressureFileId)?.id ?? null;
  const hasStations = compared.stations.length > 0;
  const connections = useConnection((s) => s.all);
  const others = (connections ?? []).filter(({ id }) => id !== connectionId).map(connectionProduct);
  const products = productsOf(usable, others, choices, hasStations);
  if (!products) {
    const name = shortName(choices.variable);
    return (
      <EmptyState
        icon={FileText}
        title={usable.length === 0 ? `No open file contains ${name}` : `Only one open file contains ${name}`}
        actions={
          <>
            {way === "none" ? null : <Button onPress={() => void chooseFiles(way)}>Open files</Button>}
            {hasStations
              ? others.map(({ id, name }) => (
                  <Button key={id} onPress={() => CHOICES.change({ fileId: id })}>
                    Compare with the cache of {name}
                  </Button>
                ))
              : null}
          </>
        }
      >
        {hasStations
          ? "Open a file of another product to compare it with the selected stations."
          : "Open two files that contain it to compare them."}
      </EmptyState>
    );
  }
  const { a, b } = products;
  return (
    <>
      <ProductBar
        files={usable}
        pressures={isDerived(products, choices.variable) ? pressures : null}
        products={products}
        others={others}
        hasStations={hasStations}
        choices={{ ...choices, pressureFileId }}
      />
      <ComparedProducts
        key={`${a?.id ?? ""} ${b.id}`}
        {...props}
        choices={{ ...choices, pressureFileId }}
        products={products}
      />
    </>
  );
}

function ComparedProducts(props: PartProps & { readonly products: Products }) {
  const { products } = props;
  const { a, b } = products;
  const query = queryOf(props, products);
  const input = { ...query, columns: PLOT_COLUMNS };
  const answer = useAsk(comparisonOf, input, {
    keepFor: [a?.id, b.id, query.variable, query.stationIds],
    delayMs: REST_MS,
  });
  const result = shownOf(answer);
  const { nameA, compared, sheet } = useMemo(() => {
    const name = a?.name ?? "stations";
    const sites = a && result ? sitesOf(a, result, props.compared) : props.compared;
    return { nameA: name, compared: sites, sheet: result ? productSheet(result, sites, { a: name, b: b.name }) : null };
  }, [result, props.compared, a, b]);
  const match = async (stationId: string, siteId: string | null | undefined): Promise<void> => {
    const done = await orShowFault(bridge.products.match({ ...query, stationId, siteId }));
    if (done.ok) answer.again();
  };
  return (
    <PartFrame
      answer={answer}
      sheet={sheet}
      others={[{ id: "report", label: "Report as HTML", onAction: () => void saveReport(query, b) }]}
      note={result ? comparisonState(result, a || b.connectionId !== undefined ? `${nameA}, B ${b.name}` : null) : ""}
    >
      {result && sheet ? (
        <>
          <ProductTable
            result={result}
            file={b}
            isOfFiles={a !== null}
            compared={compared}
            onMatch={(...chosen) => void match(...chosen)}
          />
          <Figures sheet={sheet} />
          <section aria-label="Method" className="text-quiet">
            <h3>Method</h3>
            {[...new Set([...result.a.details, ...result.b.details, ...result.method])].map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </section>
        </>
      ) : null}
    </PartFrame>
  );
}

/** Returns the sites of A in the form of stations: matched ones first, at most `MAX_SITES`. */
function sitesOf(
  file: OpenedFile,
  { sites, variable }: ProductComparison,
  compared: ComparedStations,
): ComparedStations {
  const labels = new Map([...sites.map(({ match }) => match.a), ...file.series].map(({ id, label }) => [id, label]));
  // A grid is interpolated to the sites of B; its own points are not sites.
  const isGrid = file.grids?.some(({ quantity }) => quantity.variable === variable) ?? false;
  const own = file.series.filter(
    ({ quantity, satellite }) => !isGrid && quantity.variable === variable && satellite === null,
  );
  const ids = [...new Set([...sites.map(({ match }) => match.a.id), ...own.map(({ id }) => id)])].slice(0, MAX_SITES);
  const nameOf = (id: string): string => labels.get(id) ?? id;
  return { ...compared, stations: ids.map((id, slot) => ({ id, name: nameOf(id), slot })), nameOf };
}

/** Describes the comparison and what to do if it is empty. @param files names of A and B if both are files */
function comparisonState({ sites, overall, a, b }: ProductComparison, files: string | null): string {
  const sentences = [`${files === null ? "A is the station, B the file" : `A is ${files}`}; all numbers are A − B.`];
  if (sites.length === 0)
    sentences.push(
      files === null
        ? "No selected station matches a site of this file by ID, name or distance. Match one in the table."
        : "No site of A matches one of B by ID, name or distance. Match one in the table.",
    );
  else if (overall.n === 0)
    sentences.push("There are no common epochs in this range. Choose hourly means, or a range that the file covers.");
  const unmatched = (names: readonly string[], of: string): void => {
    if (names.length > 0)
      sentences.push(`${many(names.length, "site")} of ${of} ${names.length === 1 ? "has" : "have"} no match.`);
  };
  if (files !== null) unmatched(a.unmatched, "A");
  unmatched(b.unmatched, files === null ? "the file" : "B");
  return sentences.join(" ");
}

async function saveReport(query: ProductQuery, { name }: Product): Promise<void> {
  const groupings = ["hour", "month", "height", "value"] as const;
  const report = await orShowFault(bridge.products.report({ ...query, groupings }));
  if (!report.ok) return;
  const plain = name.replace(/\.\w+$/, "").replaceAll(/[^\w.-]+/g, "-");
  saveBlob(new Blob([report.value], { type: "text/html;charset=utf-8" }), `comparison-${plain}.html`);
}

/** @param nameOf returns the name of a site of A */
function siteColumns(nameOf: (id: string) => string): CsvColumns<SiteStatistics> {
  return {
    station_id: ({ match }) => match.a.stationId ?? match.a.label,
    station_name: ({ match }) => nameOf(match.a.id),
    site: ({ match }) => match.b.label,
    match: ({ match }) => match.by,
    distance_km: ({ match }) => match.distanceKm,
    height_difference_m: ({ match }) => match.heightDifference,
    correction_mm: ({ correctionMm }) => correctionMm,
    n: ({ statistics }) => statistics.n,
    rejected: ({ statistics }) => statistics.rejected,
    bias_mm: ({ statistics }) => statistics.biasMm,
    std_mm: ({ statistics }) => statistics.stdMm,
    rms_mm: ({ statistics }) => statistics.rmsMm,
    median_mm: ({ statistics }) => statistics.medianMm,
    mad_mm: ({ statistics }) => statistics.madMm,
    correlation: ({ statistics }) => statistics.correlation,
    trend_mm_per_year: ({ statistics }) => statistics.trendMmPerYear,
  };
}

/** Names of the two products: that of the file, or "stations". */
interface ProductNames {
  readonly a: string;
  readonly b: string;
}

/** Figures and tables of a comparison of products. */
function productSheet(result: ProductComparison, compared: ComparedStations, names: ProductNames): Sheet {
  const { variable, sites } = result;
  return {
    name: `compare-product-${variable.replace("_", "-")}`,
    title: `${variableInfo(variable).label}: ${names.a} minus ${names.b}`,
    range: compared.range,
    stations: compared.stations,
    pictures: sites.length === 0 ? [] : [differences(result, compared, names), scatter(result, names)],
    footnotes: result.method,
    tables: [itemTable({ id: "statistics", label: "Statistics" }, siteColumns(compared.nameOf), sites)],
  };
}

function differences(
  { variable, differences: windows, sites }: ProductComparison,
  compared: ComparedStations,
  names: ProductNames,
): Picture {
  const lines: Lines = {
    windows,
    variable,
    stations: compared.stations,
    range: compared.range,
    label: "A − B, mm",
    stepSeconds: new Map(),
    empty: "No common epochs in the range",
  };
  return {
    id: "product-differences",
    title: `${shortName(variable)} ${names.a === "stations" ? "" : `of ${names.a} `}minus ${names.b}`,
    note: `A: ${names.a}, B: ${names.b}; mm at common epochs`,
    summary: sites
      .map(
        ({ match, statistics: s }) =>
          `${compared.nameOf(match.a.id)}: bias ${signed(s.biasMm)} mm of ${count(s.n)} pairs`,
      )
      .join("; "),
    draw: drawLines(lines),
    readings: readingsOf(lines, { unit: "mm", write: signed }),
  };
}

function scatter({ variable, scatter: points, overall }: ProductComparison, names: ProductNames): Picture {
  const name = shortName(variable);
  return {
    id: "product-scatter",
    title: `${name} of ${names.a} and of ${names.b}`,
    note: `${count(points.n)} pairs; dashed: A minus the bias`,
    summary: `Correlation ${Number.isNaN(overall.correlation) ? "unknown" : decimal(overall.correlation, 3)}`,
    draw: drawScatter(points, { a: `A: ${names.a}, mm`, b: `B: ${names.b}, mm`, biasMm: overall.biasMm }),
  };
}
