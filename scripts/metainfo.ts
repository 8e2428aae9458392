import packageJson from "../package.json" with { type: "json" };

/** The id of the program for desktops, stores and Flatpak: the name of its .desktop file. */
export const DESKTOP_ID = packageJson.desktopName.replace(/\.desktop$/, "");
export const SUMMARY = "GNSS zenith delays, water vapour and satellite tracking data";

const { version, homepage, author, license, description } = packageJson;

/** The description of the program for software centres (AppStream). */
export function metainfo(date: Date): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${DESKTOP_ID}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>${license}</project_license>
  <name>Zenith Desk</name>
  <summary>${SUMMARY}</summary>
  <description>
    <p>${description}</p>
    <p>It splits any query into requests that the measurement service accepts, keeps all responses in a local cache, explains gaps, and writes NetCDF, CSV, SINEX_TRO and other files.</p>
  </description>
  <developer id="org.zenith_desk">
    <name>${author.name}</name>
  </developer>
  <url type="homepage">${homepage}</url>
  <launchable type="desktop-id">${packageJson.desktopName}</launchable>
  <provides>
    <binary>zenith</binary>
    <binary>zenith-desk</binary>
  </provides>
  <categories>
    <category>Science</category>
  </categories>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="${version}" date="${date.toISOString().slice(0, 10)}"/>
  </releases>
</component>
`;
}
