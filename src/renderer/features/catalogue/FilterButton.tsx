import { ListFilter } from "lucide-react";
import { memo, useMemo } from "react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { usePane } from "../../stores/pane.ts";
import { useSettings } from "../../stores/settings.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Checkbox, Select } from "../../ui/choices.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { count } from "../../ui/text.ts";
import classes from "./catalogue.module.css";
import { countryName } from "#shared/station/search.ts";
import { COLUMNS, sourceWords } from "./columns.ts";
import { VIEW } from "./view.ts";
import { listOnly, useOnMap } from "./onMap.ts";
import { CACHED_CHOICES, filterCount, type Filters, NO_FILTERS } from "./filters.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

interface Option {
  readonly value: string;
  readonly label: string;
  /** Number of stations with this value, where it is known. */
  readonly stations?: number;
}

/** Returns the distinct values of a property with their numbers of stations, sorted by label. */
function optionsOf(
  stations: readonly CatalogueStation[],
  property: "countryCode" | "networkId" | "sourceType",
  labelOf: (value: string, station: CatalogueStation) => string,
): readonly Option[] {
  const found = new Map<string, Option>();
  for (const station of stations) {
    const value = station[property];
    const option = found.get(value) ?? { value, label: labelOf(value, station) || "Unknown" };
    found.set(value, { ...option, stations: (option.stations ?? 0) + 1 });
  }
  return [...found.values()].toSorted((a, b) => a.label.localeCompare(b.label));
}

function onChange(filters: Filters): void {
  VIEW.change({ filters });
}

export function clearFilters(): void {
  onChange(NO_FILTERS);
  listOnly(null);
}

const COLUMN_OPTIONS = COLUMNS.filter(({ id }) => id !== "name").map(({ id, title }) => ({ value: id, label: title }));

/** Opens the filters, the order and the columns of the station list. Memoized, so that typing does not rerender it. */
export const FilterButton = memo(function FilterButton() {
  const [{ filters }] = usePane(VIEW);
  const active = filterCount(filters) + useOnMap(({ only }) => Number(only !== null));
  const label = active === 0 ? "Filter stations" : `Filter stations: ${active} in use`;
  return (
    <span className="relative">
      <Flyout label="Filter stations" button={<IconButton label={label} icon={ListFilter} />}>
        <FilterForm />
      </Flyout>
      {active > 0 ? (
        <span aria-hidden className={classes["badge"]}>
          {active}
        </span>
      ) : null}
    </span>
  );
});

function FilterForm() {
  const [view] = usePane(VIEW);
  const { filters, columns } = view;
  const { stations, networks } = useCatalogue((s) => s.catalogue);
  const change = useSettings((s) => s.change);
  const areGroupsFirst = useSettings((s) => s.settings.groupsFirst);
  const field = fieldsOf(filters, (part) => onChange({ ...filters, ...part }));
  const options = useMemo(() => {
    const names = new Map(networks.map((n) => [n.id, n.name]));
    return {
      countries: optionsOf(stations, "countryCode", countryName),
      networks: optionsOf(stations, "networkId", (id, { networkCode }) => names.get(id) || networkCode),
      sources: optionsOf(stations, "sourceType", sourceWords),
    };
  }, [stations, networks]);
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(300px,100%),1fr))] gap-x-6 gap-y-3 w-[min(640px,calc(100vw-64px))]">
      <div className="stack gap-3 min-w-0">
        <MapFilter />
        <ValueFilter title="Country" options={options.countries} {...field("countries")} />
        <ValueFilter title="Network" options={options.networks} {...field("networkIds")} />
        <ValueFilter title="Source" options={options.sources} {...field("sourceTypes")} />
      </div>
      <div className="stack gap-3 min-w-0">
        <Checkbox {...field("isChosen")}>Selected</Checkbox>
        <Checkbox {...field("hasDataInRange")}>Has data in the time range</Checkbox>
        <Select label="Cached" showLabel choices={CACHED_CHOICES} {...field("cached")} />
        <Checkbox {...fieldsOf(view, VIEW.change)("chosenFirst")}>Selected stations first</Checkbox>
        <Checkbox value={areGroupsFirst} onChange={(isFirst) => void change({ groupsFirst: isFirst })}>
          Favourites and groups first, also in plots
        </Checkbox>
        <ValueFilter
          title="Columns"
          options={COLUMN_OPTIONS}
          value={columns}
          onChange={(shown) => VIEW.change({ columns: ["name", ...shown] })}
        />
        <div className="flex justify-end">
          {/* Never disabled: disabling it on a press would lose the focus, and with it Esc. */}
          <Button onPress={clearFilters}>Clear filters</Button>
        </div>
      </div>
    </div>
  );
}

const ALL = "all";

/** Limits the list to stations of the map, while it is shown. */
function MapFilter() {
  const { map, only } = useOnMap();
  if (map === null) return null;
  const { visible, withoutValue, unplaced } = map.parts;
  return (
    <Select
      label="On the map"
      showLabel
      choices={[
        { value: ALL, label: "All stations" },
        { value: "visible", label: "Visible", detail: count(visible.size) },
        { value: "withoutValue", label: "Without a value", detail: count(withoutValue.size) },
        { value: "unplaced", label: "Without a position", detail: count(unplaced.size) },
      ]}
      value={only ?? ALL}
      onChange={(part) => listOnly(part === ALL ? null : part)}
    />
  );
}

interface ValueFilterProps {
  readonly title: string;
  readonly options: readonly Option[];
  readonly value: readonly string[];
  readonly onChange: (values: string[]) => void;
}

function ValueFilter({ title, options, value: values, onChange }: ValueFilterProps) {
  return (
    <div role="group" aria-label={title} className="stack">
      <span className="caption font-medium">{title}</span>
      <div className={classes["ticksList"]}>
        {options.map(({ value, label, stations }) => (
          <Checkbox
            key={value}
            value={values.includes(value)}
            onChange={(on) => onChange(on ? [...values, value] : values.filter((v) => v !== value))}
          >
            <span className="truncate flex-1 min-w-0">{label}</span>
            {stations === undefined ? null : <span className="pr-1 text-faint text-small">{count(stations)}</span>}
          </Checkbox>
        ))}
      </div>
    </div>
  );
}
