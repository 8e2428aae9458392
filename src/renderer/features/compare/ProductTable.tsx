import type { ProductComparison } from "#shared/bridge/methods/products.ts";
import type { SiteStatistics, DifferenceStatistics, MatchKind, SiteMatch } from "#shared/comparison.ts";
import { Select } from "../../ui/choices.tsx";
import { count, decimal } from "../../ui/text.ts";
import { NumberCells, TableBox } from "./TableBox.tsx";
import classes from "./compare.module.css";
import type { Product } from "./productQuery.ts";
import { rowMenu } from "./rowMenu.ts";
import type { ComparedStations } from "./useCompared.ts";
import { plain, signed, signedShort } from "./format.ts";

const HEADS: readonly (readonly [text: string, unit?: string])[] = [
  ["Site of B"],
  ["Distance", "km"],
  ["Height", "m"],
  ["n"],
  ["Rejected"],
  ["Bias", "mm"],
  ["Std", "mm"],
  ["RMS", "mm"],
  ["Median", "mm"],
  ["MAD", "mm"],
  ["Corr."],
  ["Trend", "mm/yr"],
];
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

/** A row for each station or site of A with its matched site of B, which can be changed, and the statistics. */
export function ProductTable({ result, file, isOfFiles, compared, onMatch }: ProductTableProps) {
  // The series carry the names of stations, even if the file itself only contains ids.
  const labels = new Map(file.series.map((series) => [series.id, series.label]));
  const sites = result.fileSites.map(({ id, label }) => ({ value: SITE + id, label: labels.get(id) ?? label }));
  const rows = compared.stations.flatMap((station): [string, SiteStatistics | null][] => {
    const own = result.sites.filter(({ match }) => match.a.id === station.id);
    return own.length === 0 ? [[station.id, null]] : own.map((site) => [station.id, site]);
  });
  const menu = rowMenu(
    rows.map(([stationId, site]) => ({
      label: compared.nameOf(stationId),
      cells: [compared.nameOf(stationId), site?.match.b.label ?? "", ...cellsOf(site)],
      stationIds: isOfFiles ? [] : [stationId],
    })),
  );
  return (
    <TableBox
      label="Matched sites"
      narrow="pairs"
      menu={menu}
      head={
        <>
          <th scope="col">{isOfFiles ? "Site of A" : "Station"}</th>
          {HEADS.map(([text, unit], i) => (
            <th key={text} scope="col" className={i === 0 ? undefined : classes["number"]}>
              {text}
              {unit ? <span className={classes["unit"]}>{unit}</span> : null}
            </th>
          ))}
        </>
      }
    >
      {rows.map(([stationId, site], place) => (
        <tr key={`${stationId} ${site?.match.b.id ?? ""}`} data-row={place}>
          <th scope="row">{compared.nameOf(stationId)}</th>
          <td>
            <Select
              label={`Site for ${compared.nameOf(stationId)}`}
              choices={[
                { value: AUTOMATIC, label: "Automatic" },
                { value: NONE, label: "No match" },
                ...sites.map((choice) => ({ ...choice, ...detailOf(choice.value, site?.match) })),
              ]}
              value={site ? SITE + site.match.b.id : NONE}
              onChange={(value) =>
                onMatch(stationId, value === AUTOMATIC ? undefined : value === NONE ? null : value.slice(SITE.length))
              }
            />
          </td>
          <NumberCells cells={cellsOf(site)} />
        </tr>
      ))}
      {result.sites.length > 1 ? (
        <tr>
          <th scope="row">All</th>
          <td />
          <NumberCells cells={["", "", ...statisticsCells(result.overall)]} />
        </tr>
      ) : null}
    </TableBox>
  );
}

/** Returns how the current match was found. */
function detailOf(value: string, match: SiteMatch | undefined): { readonly detail?: string } {
  return match && value === SITE + match.b.id ? { detail: MATCH_WORDS[match.by] } : {};
}

function cellsOf(site: SiteStatistics | null): string[] {
  if (!site) return Array.from({ length: HEADS.length - 1 }, () => "–");
  const { distanceKm, heightDifference, isSameReference } = site.match;
  return [
    distanceKm === null ? "–" : plain(distanceKm),
    heightDifference === null ? "–" : `${signedShort(heightDifference)}${isSameReference ? "" : " *"}`,
    ...statisticsCells(site.statistics),
  ];
}

function statisticsCells(statistics: DifferenceStatistics): string[] {
  const { n, rejected, biasMm, stdMm, rmsMm, medianMm, madMm, correlation, trendMmPerYear } = statistics;
  return [
    count(n),
    count(rejected),
    signed(biasMm),
    plain(stdMm),
    plain(rmsMm),
    signed(medianMm),
    plain(madMm),
    decimal(correlation, 3),
    signed(trendMmPerYear),
  ];
}
