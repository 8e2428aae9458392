const SEMI_MAJOR_AXIS_M = 6_378_137;
const FLATTENING = 1 / 298.257223563;

/** Earth-centred coordinates (metres) of a place on or above the WGS 84 ellipsoid. */
export function earthCentred(latitudeDeg: number, longitudeDeg: number, heightM: number): [number, number, number] {
  const latitude = (latitudeDeg * Math.PI) / 180;
  const longitude = (longitudeDeg * Math.PI) / 180;
  const eccentricity2 = FLATTENING * (2 - FLATTENING);
  const normal = SEMI_MAJOR_AXIS_M / Math.sqrt(1 - eccentricity2 * Math.sin(latitude) ** 2);
  const ring = (normal + heightM) * Math.cos(latitude);
  return [
    ring * Math.cos(longitude),
    ring * Math.sin(longitude),
    (normal * (1 - eccentricity2) + heightM) * Math.sin(latitude),
  ];
}
