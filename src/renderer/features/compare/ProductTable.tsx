import { NO_VALUE } from "#shared/text.ts";
import type { ProductComparison } from "#shared/bridge/methods/products.ts";
import type { SiteStatistics, DifferenceStatistics, MatchKind, SiteMatch } from "#shared/comparison.ts";
import { Select } from "../../ui/choices.tsx";
import { numberColumn, type TableColumn } from "../../ui/grid/columns.ts";
import { Table } from "../../ui/grid/Table.tsx";
import { count, decimal } from "../../ui/text.ts";
import type { Product } from "./productQuery.ts";
import { openRowMenu } from "./rowMenu.ts";
import type { ComparedStations } from "./useCompared.ts";
import { FIRST_ROWS, twoDecimals, signed, signedShort } from "./format.ts";

const MATCH_WORDS: Readonly<Record<MatchKind, string>> = {
  chosen: "by choice",
  id: "same id",
  domes: "same DOMES number",
  name: "same name",
  distance: "nearest",
};
const AUTOMATIC = "auto";
const NONE = "none";
/** Prefix of site ids among the choices, so that no id equals `AUTOMATIC` or `NONE`. */
const SITE = "site ";

interface ProductTableProps {
  readonly result: ProductComparison;
  /** B. */
  readonly file: Product;
  /** Whether A is a file, too. */
  readonly isOfFiles: boolean;
  /** The stations, or the sites of A. */
  readonly compared: ComparedStations;
  /** @param siteId null for no match, undefined for the automatic match */
  readonly onMatch: (stationId: string, siteId: string | null | undefined) => void;
}

/** A station or site of A with its matched site of B; without an id, the totals. */
interface SiteRow {
  readonly id: string | null;
  readonly site: SiteStatistics | null;
  readonly statistics: DifferenceStatistics | null;
}

type Heads = readonly [title: string, unit?: string];

function ofStatistics(heads: Heads, text: (statistics: DifferenceStatistics) => string): TableColumn<SiteRow> {
  return numberColumn(heads[0], heads, ({ statistics }) => (statistics ? text(statistics) : NO_VALUE));
}

function ofMatch(heads: Heads, text: (match: SiteMatch) => string): TableColumn<SiteRow> {
  return numberColumn(heads[0], heads, ({ id, site }) => (site ? text(site.match) : id === null ? "" : NO_VALUE));
}

const NUMBERS: readonly TableColumn<SiteRow>[] = [
  ofMatch(["Distance", "km"], ({ distanceKm }) => (distanceKm === null ? NO_VALUE : twoDecimals(distanceKm))),
  ofMatch(["Height", "m"], ({ heightDifference, isSameReference }) =>
    heightDifference === null ? NO_VALUE : `${signedShort(heightDifference)}${isSameReference ? "" : " *"}`,
  ),
  ofStatistics(["n"], ({ n }) => count(n)),
  ofStatistics(["Rejected"], ({ rejected }) => count(rejected)),
  ofStatistics(["Bias", "mm"], ({ biasMm }) => signed(biasMm)),
  ofStatistics(["Std", "mm"], ({ stdMm }) => twoDecimals(stdMm)),
  ofStatistics(["RMS", "mm"], ({ rmsMm }) => twoDecimals(rmsMm)),
  ofStatistics(["Median", "mm"], ({ medianMm }) => signed(medianMm)),
  ofStatistics(["MAD", "mm"], ({ madMm }) => twoDecimals(madMm)),
  ofStatistics(["Corr."], ({ correlation }) => decimal(correlation, 3)),
  ofStatistics(["Trend", "mm/yr"], ({ trendMmPerYear }) => signed(trendMmPerYear)),
];

/** A row for each station or site of A with its matched site of B, which can be changed, and the statistics. */
export function ProductTable({ result, file, isOfFiles, compared, onMatch }: ProductTableProps) {
  // The series carry the names of stations, even if the file itself only contains ids.
  const labels = new Map(file.series.map((series) => [series.id, series.label]));
  const sites = result.fileSites.map(({ id, label }) => ({ value: SITE + id, label: labels.get(id) ?? label }));
  const rows = compared.stations.flatMap(({ id }): SiteRow[] => {
    const own = result.sites.filter(({ match }) => match.a.id === id);
    return own.length === 0
      ? [{ id, site: null, statistics: null }]
      : own.map((site) => ({ id, site, statistics: site.statistics }));
  });
  const total = { id: null, site: null, statistics: result.overall };
  const siteChoice = (id: string, site: SiteStatistics | null) => (
    <Select
      label={`Site for ${compared.nameOf(id)}`}
      choices={[
        { value: AUTOMATIC, label: "Automatic" },
        { value: NONE, label: "No match" },
        ...sites.map((choice) => ({ ...choice, ...detailOf(choice.value, site?.match) })),
      ]}
      value={site ? SITE + site.match.b.id : NONE}
      onChange={(value) =>
        onMatch(id, value === AUTOMATIC ? undefined : value === NONE ? null : value.slice(SITE.length))
      }
    />
  );
  const columns: readonly TableColumn<SiteRow>[] = [
    {
      id: "a",
      title: isOfFiles ? "Site of A" : "Station",
      isHeading: true,
      isSticky: true,
      text: ({ id }) => (id === null ? "All" : compared.nameOf(id)),
    },
    {
      id: "b",
      title: "Site of B",
      text: ({ site }) => site?.match.b.label ?? "",
      renderCell: ({ id, site }) => (id === null ? null : siteChoice(id, site)),
    },
    ...NUMBERS,
  ];
  return (
    <Table
      label="Matched sites"
      columns={columns}
      // The totals first, where a long table still shows them.
      rows={result.sites.length > 1 ? [total, ...rows] : rows}
      firstRows={FIRST_ROWS}
      keyOf={({ id, site }) => `${id ?? ""} ${site?.match.b.id ?? ""}`}
      onMenu={(row, at) =>
        openRowMenu(
          {
            cells: columns.map(({ text }) => text(row) ?? ""),
            stationIds: isOfFiles || row.id === null ? [] : [row.id],
          },
          at,
        )
      }
    />
  );
}

/** Returns how the current match was found. */
function detailOf(value: string, match: SiteMatch | undefined): { readonly detail?: string } {
  return match && value === SITE + match.b.id ? { detail: MATCH_WORDS[match.by] } : {};
}
