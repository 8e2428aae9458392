/** The measurement variables of the service (specification 2.4), as data: every list, unit and label derives from here. */
export const VARIABLES = [
  {
    name: "ztd",
    label: "Zenith total delay",
    unit: "mm",
    kind: "scalar",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Delay of the signal by the neutral atmosphere, mapped to the zenith.",
  },
  {
    name: "ztd_sigma",
    label: "ZTD uncertainty",
    unit: "mm",
    kind: "scalar",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Formal standard deviation of the ZTD estimate; not its accuracy.",
  },
  {
    name: "pwv",
    label: "Precipitable water vapour",
    unit: "mm",
    kind: "scalar",
    standardSeconds: 300,
    streamSeconds: 300,
    meaning: "Depth of liquid water if all vapour above the station condensed; 1 mm is 1 kg m-2.",
  },
  {
    name: "snr",
    label: "C/N0",
    unit: "dB-Hz",
    kind: "satellite",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Carrier-to-noise density ratio per satellite and signal band.",
  },
  {
    name: "el",
    label: "Elevation",
    unit: "degrees",
    kind: "satellite",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Elevation of each satellite above the horizon.",
  },
  {
    name: "az",
    label: "Azimuth",
    unit: "degrees",
    kind: "satellite",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Azimuth of each satellite, clockwise from north.",
  },
  {
    name: "prn",
    label: "Satellites",
    unit: "",
    kind: "satellite",
    standardSeconds: 30,
    streamSeconds: 1,
    meaning: "Identifiers of the satellites, in the order of the other per-satellite variables.",
  },
] as const;

export type Variable = (typeof VARIABLES)[number]["name"];
export type VariableKind = (typeof VARIABLES)[number]["kind"];

export const VARIABLE_NAMES: readonly Variable[] = VARIABLES.map((v) => v.name);
export const SCALAR_VARIABLES: readonly Variable[] = VARIABLES.filter((v) => v.kind === "scalar").map((v) => v.name);
export const SATELLITE_VARIABLES: readonly Variable[] = VARIABLES.filter((v) => v.kind === "satellite").map(
  (v) => v.name,
);

export function isVariable(text: string): text is Variable {
  return (VARIABLE_NAMES as readonly string[]).includes(text);
}

export function variableInfo(name: Variable): (typeof VARIABLES)[number] {
  return VARIABLES.find((v) => v.name === name)!;
}

export function variableKind(name: Variable): VariableKind {
  return variableInfo(name).kind;
}

/** Each variable once, in the order of the table, with `prn` added where a per-satellite variable implies it (2.4 rule 3). */
export function withImpliedVariables(asked: Iterable<Variable>): Variable[] {
  const set = new Set(asked);
  if (set.has("snr") || set.has("el") || set.has("az")) set.add("prn");
  return VARIABLE_NAMES.filter((v) => set.has(v));
}
