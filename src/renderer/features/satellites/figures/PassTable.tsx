import { useMemo } from "react";
import { percent } from "#shared/series/statistics.ts";
import { numberColumn, type TableColumn } from "../../../ui/grid/columns.ts";
import { Table } from "../../../ui/grid/Table.tsx";
import { utcMinutes } from "../../../ui/text.ts";
import { constellationAt } from "../constellations.ts";
import { completenessOf, passAt, passesOf, type Pass, type SatellitePasses } from "../data/passes.ts";
import type { Shown } from "../choices.ts";

/** The first columns of a table of satellites. @param nameOf the name of the constellation */
export function satelliteColumns<Row extends { readonly prn: string }>(
  nameOf: (row: Row) => string,
): readonly TableColumn<Row>[] {
  return [
    { id: "prn", title: "Satellite", isHeading: true, isSticky: true, text: ({ prn }) => prn },
    { id: "constellation", title: "Constellation", text: nameOf },
  ];
}

/** Rising, setting and completeness of each satellite: the pass at the moment, or the last one before it. */
export function PassTable({ shown, momentMs }: { readonly shown: Shown; readonly momentMs: number }) {
  const { sky, filter, choices } = shown;
  const satellites = useMemo(() => passesOf(sky, filter), [sky, filter]);
  if (satellites.length === 0) return null;
  const ofPass = (text: (pass: Pass) => string) => (satellite: SatellitePasses) => {
    const pass = passAt(satellite, momentMs);
    return pass ? text(pass) : "";
  };
  const above = choices.cutOffDeg > 0 ? ` above ${choices.cutOffDeg}°` : "";
  return (
    <>
      <h3>{`Rising and setting${above}`}</h3>
      <Table
        label="Passes"
        rows={satellites}
        keyOf={({ prn }) => prn}
        columns={[
          ...satelliteColumns<SatellitePasses>((s) => constellationAt(s.constellation).name),
          numberColumn("rose", ["Rose (UTC)"], ofPass(riseText)),
          numberColumn("set", ["Set (UTC)"], ofPass(setText)),
          numberColumn<SatellitePasses>("passes", ["Passes"], ({ passes }) => String(passes.length)),
          {
            ...numberColumn<SatellitePasses>("completeness", ["Completeness"], (s) => percent(completenessOf(s))),
            meaning: "Epochs with the satellite, as a share of those of the station from rising to setting",
          },
        ]}
      />
    </>
  );
}

function riseText({ riseMs, isCut }: Pass): string {
  return isCut.atRise ? `before ${utcMinutes(riseMs)}` : utcMinutes(riseMs);
}

function setText({ setMs, isCut }: Pass): string {
  return isCut.atSet ? `after ${utcMinutes(setMs)}` : utcMinutes(setMs);
}
