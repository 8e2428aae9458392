/** The table that the names below were compared with, as published on 17 October 2023. */
export const STANDARD_NAME_TABLE = "CF Standard Name Table v83";

/** The CF standard names in our files, with their canonical units. */
export const STANDARD_NAMES = {
  altitude: "m",
  height_above_reference_ellipsoid: "m",
  latitude: "degree_north",
  longitude: "degree_east",
  lwe_thickness_of_atmosphere_mass_content_of_water_vapor: "m",
  platform_azimuth_angle: "degree",
  time: "s",
} as const;
