import { useMemo } from "react";
import { percent } from "#shared/series/statistics.ts";
import { utcMinutes } from "../../../ui/text.ts";
import { constellationAt } from "../constellations.ts";
import { completenessOf, passAt, passesOf, type Pass } from "../data/passes.ts";
import type { Shown } from "../choices.ts";

/** Rising, setting and completeness of each satellite: the pass at the moment, or the last one before it. */
export function PassTable({ shown, momentMs }: { readonly shown: Shown; readonly momentMs: number }) {
  const { sky, filter, choices } = shown;
  const satellites = useMemo(() => passesOf(sky, filter), [sky, filter]);
  if (satellites.length === 0) return null;
  const above = choices.cutOffDeg > 0 ? ` above ${choices.cutOffDeg}°` : "";
  return (
    <>
      <h3>{`Rising and setting${above}`}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Satellite</th>
            <th scope="col">Constellation</th>
            <th scope="col">Rose (UTC)</th>
            <th scope="col">Set (UTC)</th>
            <th scope="col">Passes</th>
            <th
              scope="col"
              title="Epochs with the satellite, as a share of those of the station from rising to setting"
            >
              Completeness
            </th>
          </tr>
        </thead>
        <tbody>
          {satellites.map((satellite) => {
            const pass = passAt(satellite, momentMs);
            return (
              <tr key={satellite.prn}>
                <th scope="row">{satellite.prn}</th>
                <td>{constellationAt(satellite.constellation).name}</td>
                <td>{pass && riseText(pass)}</td>
                <td>{pass && setText(pass)}</td>
                <td>{satellite.passes.length}</td>
                <td>{percent(completenessOf(satellite))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

function riseText({ riseMs, isCut }: Pass): string {
  return isCut.atRise ? `before ${utcMinutes(riseMs)}` : utcMinutes(riseMs);
}

function setText({ setMs, isCut }: Pass): string {
  return isCut.atSet ? `after ${utcMinutes(setMs)}` : utcMinutes(setMs);
}
