import { useState } from "react";
import { COLUMN_ROLES, type FixedRole, type TextTable, unitFor, unitsOf, TIME_ROLES } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import { isScalar, shortName } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useCall } from "../../ask/useCall.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { DialogActions, WindowDialog, useClose, CloseButton } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import type { TableColumn } from "../../ui/grid/columns.ts";
import { Table } from "../../ui/grid/Table.tsx";
import { many } from "../../ui/text.ts";
import { showAnswered } from "./open.ts";

/** Maximum number of columns shown; further ones keep the roles derived from their names. */
const MAX_COLUMNS = 100;
const SAMPLE_ROWS = 3;
const LABELS: Readonly<Record<FixedRole, string>> = {
  none: "Not used",
  time: "Time, year first",
  dayFirst: "Time, day first",
  monthFirst: "Time, month first",
  clock: "Time of day",
  halfDay: "AM or PM",
  year: "Year",
  month: "Month",
  day: "Day",
  dayOfYear: "Day of year",
  hour: "Hour",
  minute: "Minute",
  second: "Second",
  secondOfDay: "Second of day",
  mjd: "Modified Julian date",
  unixTime: "Seconds since 1970",
  excelDay: "Days since 1900 (Excel)",
  decimalYear: "Year with decimals",
  gpsWeek: "GPS week",
  secondOfWeek: "Second of GPS week",
  station: "Station",
  latitude: "Latitude, degrees",
  longitude: "Longitude, degrees",
  height: "Height, m",
  number: "Other number",
};
const ROLES = COLUMN_ROLES.map((value) => ({ value, label: isScalar(value) ? shortName(value) : LABELS[value] }));
/** Of a file that names its times and stations itself. */
const QUANTITIES = ROLES.filter(({ value }) => isScalar(value) || value === "number");
const TIMES = [{ value: "time", label: "Time" }] as const;

/** The dialog that chooses what each column of a text table contains, with its first rows. */
export function ColumnsDialog() {
  return (
    <WindowDialog kind="columns" title={({ file }) => `Columns of ${file.name}`} wide>
      {({ file }) => (file.table ? <ColumnsForm key={file.id} file={file} table={file.table} /> : null)}
    </WindowDialog>
  );
}

function ColumnsForm({ file, table }: { readonly file: OpenedFile; readonly table: TextTable }) {
  const close = useClose();
  const [roles, setRoles] = useState<readonly Role[]>(table.roles);
  const [noValue, setNoValue] = useState(table.noValue ?? "");
  const { isBusy, fault, run, clearFault } = useCall();
  const change = (at: number, role: Role): void => {
    setRoles((all) => withRole(all, at, role));
    clearFault();
  };
  const apply = async (): Promise<void> => {
    const columns = roles.map((role, column) => ({ column, ...role }));
    const choice = { columns, noValue: noValue.trim() === "" ? null : noValue.trim() };
    const answer = await run(() => bridge.files.chooseColumns({ fileId: file.id, columns: choice }));
    if (!answer.ok) return;
    close();
    await showAnswered(answer.value);
  };
  const isTable = table.isNamed !== true;
  // A file without series asks something in its only note.
  const question = file.series.length === 0 ? (file.notes[0] ?? null) : null;
  const task = isTable
    ? "Choose what each column contains: at least the time and one value."
    : "Choose the quantity and the unit of each variable, and the scale or zone of the times.";
  return (
    <>
      <p>
        {question ?? task}
        {table.header === null
          ? ""
          : ` Other files with the same ${isTable ? "header line" : "variables"} that ask the same are read the same way.`}
      </p>
      <RolesTable table={table} roles={roles} onChange={change} />
      <TextField
        label="Missing value"
        value={noValue}
        onChange={setNoValue}
        hint="A text or number that marks a missing value, in addition to empty fields, NaN, -9999 and the like."
        autoComplete="off"
      />
      {fault ? <FaultNote fault={fault} /> : null}
      <DialogActions>
        <CloseButton />
        <Button
          look="primary"
          isPending={isBusy}
          isDisabled={roles.some((role, at) => isOpen(table, at, role) && !isAnswered(role, roles))}
          onPress={() => void apply()}
        >
          {isBusy ? "Reading…" : "Open table"}
        </Button>
      </DialogActions>
    </>
  );
}

interface RolesTableProps {
  readonly table: TextTable;
  readonly roles: readonly Role[];
  readonly onChange: (at: number, role: Role) => void;
}

/** The columns with their first rows, and a choice of what each contains. */
function RolesTable({ table, roles, onChange }: RolesTableProps) {
  const samplesOf = (at: number): string =>
    table.rows
      .slice(0, SAMPLE_ROWS)
      .map((row) => row[at])
      .join(" · ");
  const columns: readonly TableColumn<{ readonly name: string; readonly at: number }>[] = [
    { id: "name", title: "Column", isHeading: true, text: ({ name }) => name },
    {
      id: "samples",
      title: "First rows",
      text: ({ at }) => samplesOf(at),
      renderCell: ({ at }) => <p className="max-w-[240px] overflow-hidden text-quiet text-ellipsis">{samplesOf(at)}</p>,
    },
    {
      id: "role",
      title: "Contains",
      text: () => null,
      renderCell: ({ name, at }) => (
        <Select
          label={`${name} contains`}
          choices={table.isNamed ? (table.roles[at]?.role === "time" ? TIMES : QUANTITIES) : ROLES}
          value={roles[at]?.role ?? "none"}
          onChange={(role) => onChange(at, { role, unit: roles[at]?.unit ?? null })}
        />
      ),
    },
    {
      id: "unit",
      title: "Unit",
      text: () => null,
      renderCell: ({ name, at }) => (
        <UnitChoice
          name={name}
          role={roles[at]}
          isOpen={isOpen(table, at, roles[at])}
          onChange={(role) => onChange(at, role)}
        />
      ),
    },
  ];
  const shown = table.names.slice(0, MAX_COLUMNS);
  const further = table.names.length - shown.length;
  return (
    <>
      <Table
        label="Columns of the file"
        columns={columns}
        rows={shown.map((name, at) => ({ name, at }))}
        // Names may occur twice.
        keyOf={({ at, name }) => `${at} ${name}`}
      />
      {further > 0 ? (
        <p className="caption">
          {many(further, "further column", "further columns")} keep the roles derived from their names.
        </p>
      ) : null}
    </>
  );
}

interface UnitChoiceProps {
  readonly name: string;
  readonly role: Role | undefined;
  readonly isOpen: boolean;
  readonly onChange: (role: Role) => void;
}

function UnitChoice({ name, role, isOpen: isLeftOpen, onChange }: UnitChoiceProps) {
  const units = role ? unitsOf(role.role) : [];
  if (!role || units.length === 0) return null;
  return (
    <Select
      label={`Unit of ${name}`}
      choices={[
        { value: "", label: isLeftOpen ? "Choose…" : "By the file" },
        ...units.map((value) => ({ value, label: value })),
      ]}
      value={role.unit ?? ""}
      onChange={(unit) => onChange({ ...role, unit: unit === "" ? null : unit })}
    />
  );
}

type Role = TextTable["roles"][number];

/** Whether the file says nothing about the unit or the time scale that a column needs in this role. */
function isOpen({ open = [], roles }: TextTable, at: number, role: Role | undefined): boolean {
  const asked = roles[at]?.role;
  if (!role || !asked || !open.includes(at)) return false;
  return isScalar(asked) ? isScalar(role.role) : TIME_ROLES.has(asked) && TIME_ROLES.has(role.role);
}

/** One column of the time states the scale for all of them. */
function isAnswered({ role, unit }: Role, all: readonly Role[]): boolean {
  return unit !== null || (TIME_ROLES.has(role) && all.some((each) => TIME_ROLES.has(each.role) && each.unit !== null));
}

/** Returns the roles with one changed. A role that only one column can have is removed from its previous column. */
function withRole(roles: readonly Role[], at: number, changed: Role): Role[] {
  const isRepeatable = changed.role === "none" || changed.role === "number" || isScalar(changed.role);
  const unit = changed.unit === null ? null : unitFor(changed.role, changed.unit);
  return roles.map((role, i) => {
    if (i === at) return { role: changed.role, unit };
    return !isRepeatable && role.role === changed.role ? { role: "none", unit: null } : role;
  });
}
