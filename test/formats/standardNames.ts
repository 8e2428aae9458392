/** The names of the CF Standard Name Table v83 that exported files use, with their canonical units. */
export const STANDARD_NAMES = {
  altitude: "m",
  height_above_reference_ellipsoid: "m",
  latitude: "degree_north",
  longitude: "degree_east",
  lwe_thickness_of_atmosphere_mass_content_of_water_vapor: "m",
  platform_azimuth_angle: "degree",
  time: "s",
} as const;
