import type { Region } from "../site.ts";
import { CORS_30S, STREAM_1S, TELCO_30S, type NetworkPlan, native } from "./plan.ts";

/** Shared by both northern networks: a front that crosses one crosses the other. */
const BALTIC: Region = { name: "baltic", latitudeDeg: 60.3, longitudeDeg: 22.5, driftDeg: 75 };

export const NORDIC: NetworkPlan = {
  code: "NORDA",
  name: "Nordic Atmosphere Array",
  owner: "aurora",
  isInternal: false,
  visibility: "public",
  region: BALTIC,
  since: "2014-02-01",
  rolloutMonths: 9,
  defaults: CORS_30S,
  stations: [
    ["KALL00FIN", "Kallio", "Helsinki", "FI", 60.18, 24.95, 45.2, 17.9],
    ["KIRK00FIN", "Kirkkolahti", "Kirkkolahti", "FI", 60.12, 24.44, 31.7, 17.8],
    ["TORS00NOR", "Torsvika", "Torsvika", "NO", 59.41, 10.49, 68.4, 38.6],
    ["HEIN00FIN", "Heinäniemi", "Heinäniemi", "FI", 60.45, 22.27, 52.1, 18.9],
    ["LUMI00FIN", "Lumivaara", "Lumivaara", "FI", 61.5, 23.79, 141.3, 18.6],
    ["SVAR00SWE", "Svartöbacken", "Svartöbacken", "SE", 59.86, 17.63, 58.9, 24.4],
    ["GRIN00SWE", "Grindholmen", "Stockholm", "SE", 59.33, 18.07, 49.6, 23.5],
    ["ALVS00SWE", "Älvsborgsudden, Outer Pier", "Älvsborgsudden", "SE", 57.68, 11.84, 44.8, 36.6],
    ["RAND00EST", "Rannaküla", "Tallinn", "EE", 59.44, 24.75, 56.3, 17.6],
    ["PIHK00EST", "Pihlasaare", "Pihlasaare", "EE", 58.38, 26.72, 79.9, 19.2],
    ["MARI00ALA", "Mariestrand", "Mariestrand", "AX", 60.1, 19.94, 34.5, 20.6],
    ["SAIM00FIN", "Saimaanranta", "Saimaanranta", "FI", 61.06, 28.19, 107.4, 16.1],
    ["KOSK00FIN", "Koskenniska", "Koskenniska", "FI", 62.24, 25.75, 162.8, 18.3],
    ["DRAM00NOR", 'Drammenvik "Gamle Fyr"', "Drammenvik", "NO", 59.74, 10.2, 61.5, 38.9],
    ["FJEL00NOR", "Fjellstua Øvre", "Fjellstua", "NO", 60.63, 8.55, 1043.2, 43.1],
    ["VANT01FIN", "Vantaanjoki stream", "Vantaanjoki", "FI", 60.31, 25.04, 63.8, 17.7, STREAM_1S],
  ],
};

export const MASTS: NetworkPlan = {
  code: "BMAST",
  name: "Baltic Mast Network",
  owner: "meridian",
  isInternal: true,
  visibility: "organization",
  region: BALTIC,
  since: "2019-05-01",
  rolloutMonths: 30,
  defaults: TELCO_30S,
  stations: [
    ["MST001", "Mast 001 Lahdenkallio", "Lahdenkallio", "FI", 60.99, 25.66, 131.0, 17.2],
    ["MST002", "Mast 002 Salonmäki", "Salonmäki", "FI", 60.39, 23.13, 74.2, 18.6],
    ["MST003", "Mast 003 Pärnulaid", "Pärnulaid", "EE", 58.39, 24.5, 66.7, 19.6],
    ["MST004", "Mast 004 Jūrasciems", "Rīga", "LV", 56.95, 24.11, 71.9, 21.9],
    ["MST005", "Mast 005 Ventaskalns", "Ventaskalns", "LV", 57.39, 21.56, 62.0, 22.9],
    ["MST006", "Mast 006 Žaliakalvis", "Vilnius", "LT", 54.69, 25.28, 168.5, 25.3],
    ["MST007", "Mast 007 Kopgalis, North Tower", "Kopgalis", "LT", 55.71, 21.13, 69.3, 24.9],
    ["MST008", "=SUM(Mast 008)", "Bursztynowo", "PL", 54.35, 18.65, 77.5, 28.9],
    ["MST009", "@Mast 009 Uusisaari", "Uusisaari", "FI", 60.47, 26.94, 58.8, 16.7],
    ["MST010", "Mast 010 Saarnaki (native 5 s)", "Saarnaki", "EE", 58.25, 22.49, 51.4, 19.8, native(5)],
    ["MST011", "Mast 011 Vidzemes Tornis (native 15 s)", "Vidzeme", "LV", 57.31, 25.28, 139.6, 20.7, native(15)],
    // Announced and listed, but its receiver was never switched on.
    ["MST012", "Mast 012 Tyhjäkallio", "Tyhjäkallio", "FI", 61.69, 27.27, 121.4, 16.8, { neverSent: true }],
  ],
};
