import { useEffect, useLayoutEffect, useMemo } from "react";
import { shortName, variableInfo } from "#shared/service/variables.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { decimal } from "#shared/text.ts";
import { useFocus } from "../../stores/focus.ts";
import { useOnMap } from "../catalogue/onMap.ts";
import { SERVICE_LABEL } from "./colouring.ts";
import { absenceWords, anomalyText, timeDifference } from "./labels.ts";
import { unplacedNote, unplacedOf } from "./places.ts";
import { REDUCED, stationValues } from "./scale.ts";
import { absenceOf } from "./useMissing.ts";
import type { MapParts } from "./useMapParts.ts";

/** Gives the list of stations a column of the shown values, or why there are none, while the map is there. */
export function useListed({ stations, visible, snapshot, missing, variable, colourBy, stage }: MapParts): void {
  const hasAnomaly = colourBy === REDUCED;
  const { frame } = snapshot;
  const hasService = snapshot.serviceValues !== null;
  const indexOf = useMemo(() => new Map(stations.map((s, i) => [s.id, i])), [stations]);
  const unplaced = useMemo(() => new Map([...unplacedOf(stations)].map(([s, because]) => [s.id, because])), [stations]);
  const parts = useMemo(
    () => ({
      visible: new Set((visible?.stations ?? []).flatMap((i) => stations[i]?.id ?? [])),
      withoutValue: new Set(missing.stations.map((s) => s.id)),
      unplaced: new Set(unplaced.keys()),
    }),
    [stations, visible, missing.stations, unplaced],
  );
  const anomalies = useMemo(() => {
    const values = hasAnomaly ? stationValues(REDUCED, stations, frame) : [];
    return new Map(stations.map(({ id }, i) => [id, values[i] ?? Number.NaN]));
  }, [hasAnomaly, stations, frame]);
  const { causes, serviceCauses } = missing;
  const values = useMemo(() => {
    const textOf = (id: string): string | null => {
      const reading = frame?.read(id, variable);
      if (reading) {
        const mark = hasService && reading.from === "service" ? "○ " : "";
        return `${mark}${decimal(reading.value, 1)}${anomalyText(anomalies.get(id))}`;
      }
      const absence = absenceOf({ causes, serviceCauses }, id);
      if (!absence) return null;
      const { word, short = word } = gapMark(absence.cause);
      return short;
    };
    return {
      title: `${shortName(variable)} ${variableInfo(variable).unit}`,
      meaning: `${variableInfo(variable).label} at the moment of the map${hasAnomaly ? ", with its height-reduced anomaly in brackets" : ""}`,
      textOf,
      valueOf: (id: string): number => frame?.read(id, variable)?.value ?? Number.NaN,
      hintOf(id: string): string | null {
        const reading = frame?.read(id, variable);
        const absence = absenceOf({ causes, serviceCauses }, id);
        const because = unplaced.get(id);
        const told = [
          reading || !absence ? textOf(id) : absenceWords(absence),
          reading && frame ? timeDifference(reading.timeMs, frame.momentMs) : null,
          hasService && reading?.from === "service" ? SERVICE_LABEL : null,
          because ? unplacedNote([because]) : null,
        ];
        return told.filter(Boolean).join(" · ");
      },
    };
  }, [frame, variable, hasService, hasAnomaly, anomalies, causes, serviceCauses, unplaced]);
  useEffect(
    () =>
      useFocus.subscribe(({ pointedId }, before) => {
        if (pointedId === before.pointedId) return;
        stage?.setHovered(pointedId === null ? null : (indexOf.get(pointedId) ?? null));
      }),
    [stage, indexOf],
  );
  useLayoutEffect(() => useOnMap.setState({ map: { ...values, parts } }), [values, parts]);
  useLayoutEffect(() => () => useOnMap.setState({ map: null, only: null }), []);
}
