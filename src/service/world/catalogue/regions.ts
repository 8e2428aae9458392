import { CORS_30S, LATE_30S, native, type NetworkPlan, STREAM_1S, TELCO_30S } from "./plan.ts";
import type { Region } from "../site.ts";

export const SAVANNA: NetworkPlan = {
  code: "SAVAN",
  name: "Savanna Vapour Observatory",
  owner: "aurora",
  isInternal: false,
  visibility: "organization",
  region: { name: "rift", latitudeDeg: -1.5, longitudeDeg: 36.5, driftDeg: 265 },
  since: "2020-09-01",
  rolloutMonths: 36,
  defaults: CORS_30S,
  stations: [
    ["MLIM00KEN", "Mlima Mrefu", "Nairobi", "KE", -1.29, 36.82, 1651.3, -15.9],
    ["ZIWA00KEN", "Ziwa Kubwa", "Kisumu", "KE", -0.09, 34.77, 1138.6, -14.2],
    ["PWAN00KEN", "Pwani ya Kusi", "Mombasa", "KE", -4.04, 39.67, -8.4, -28.9],
    ["TARA00TZA", "Tarangani", "Arusha", "TZ", -3.39, 36.68, 1372.9, -17.1],
    ["BAND00TZA", "Bandari ya Zamani", "Dar es Salaam", "TZ", -6.79, 39.21, 1.7, -27.4],
    ["NILE00UGA", "Nile Gate, Weir 2", "Jinja", "UG", 0.44, 33.2, 1127.0, -12.8, TELCO_30S],
    ["AMBA00ETH", "ነፋስ አምባ", "Addis Ababa", "ET", 9.02, 38.75, 2362.4, -6.3],
    ["NOUR00EGY", "تل النور", "القاهرة", "EG", 30.04, 31.24, 46.2, 15.4, TELCO_30S],
    ["KIGA00RWA", "Umusozi w’Ikirere", "Kigali", "RW", -1.95, 30.06, 1555.8, -11.4],
  ],
};

export const PACIFIC: NetworkPlan = {
  code: "PACST",
  name: "Pacific Stream Network",
  owner: "meridian",
  isInternal: false,
  visibility: "partners",
  region: { name: "honshu", latitudeDeg: 35.6, longitudeDeg: 138.2, driftDeg: 70 },
  since: "2021-03-01",
  rolloutMonths: 24,
  defaults: STREAM_1S,
  stations: [
    ["SAGI01JPN", "白鷺丘", "東京", "JP", 35.68, 139.76, 76.9, 36.7],
    ["MINA01JPN", "港見台", "横浜", "JP", 35.44, 139.64, 68.2, 36.4],
    ["KAZE01JPN", "風越峠", "Kazekoshi", "JP", 36.23, 137.97, 652.4, 40.9],
    ["UMIB01JPN", "Umibe-no-Hara", "Shizuoka", "JP", 34.98, 138.38, 57.6, 40.6],
    ["NAGI01JPN", "凪ヶ浦 “Nagigaura”", "名古屋", "JP", 35.18, 136.9, 55.1, 38.1],
    ["HOSH01JPN", "Hoshimine (native)", "Hoshimine", "JP", 35.01, 135.77, 95.7, 37.2, native(1)],
    ["TAKA00JPN", "高見原", "大阪", "JP", 34.69, 135.5, 62.5, 37.4, CORS_30S],
    ["YUKI00JPN", "雪見沢", "新潟", "JP", 37.92, 139.04, 48.4, 39.3, CORS_30S],
    ["OKIN00JPN", "Okinami", "Okinami", "JP", 33.59, 133.53, 51.9, 36.0, CORS_30S],
  ],
};

export const ALPS: NetworkPlan = {
  code: "ALPIN",
  name: "Alpine Ridge and Valley Stations",
  owner: "north",
  isInternal: false,
  visibility: "public",
  region: { name: "alps", latitudeDeg: 46.8, longitudeDeg: 11, driftDeg: 100 },
  since: "2016-06-01",
  rolloutMonths: 40,
  defaults: CORS_30S,
  stations: [
    ["ROTH00CHE", "Rothornsattel", "Rothornsattel", "CH", 46.52, 8.04, 3157.6, 52.9],
    ["SEEM00CHE", "Seemattli", "Luzern", "CH", 47.05, 8.31, 501.8, 49.2],
    ["STEI00AUT", "Steinbühel", "Innsbruck", "AT", 47.27, 11.4, 646.9, 49.6],
    ["GRUN00AUT", "Grünkogel", "Grünkogel", "AT", 47.13, 12.68, 2614.3, 50.3],
    ["TRAU00AUT", "Traunkirchl", "Traunkirchl", "AT", 47.8, 13.04, 489.2, 47.1],
    ["VALB00ITA", "Valbruna di Sopra", "Valbruna", "IT", 46.07, 11.12, 268.7, 50.1],
    ["PADU00ITA", "Pian dell’Acqua", "Padova", "IT", 45.41, 11.88, 61.3, 44.7],
    ["JEZE00SVN", "Jezerska Reber", "Jezerska Reber", "SI", 46.36, 14.09, 544.0, 48.4],
    ["MONT00FRA", "Montclar-les-Vents", "Montclar", "FR", 45.57, 5.93, 351.2, 50.9],
    // Damaged by lightning in spring and not repaired since.
    ["BLIT00DEU", "Blitzstein", "Blitzstein", "DE", 47.42, 10.98, 3013.5, 48.7, { until: "2026-04-17" }],
    ["ISAR00DEU", "Isarau Funkturm", "München", "DE", 48.14, 11.58, 566.1, 46.2, TELCO_30S],
  ],
};

export const PAMPAS: NetworkPlan = {
  code: "PAMPA",
  name: "Red Pampeana de Observación Atmosférica",
  owner: "north",
  isInternal: false,
  visibility: "public",
  region: { name: "plata", latitudeDeg: -34.2, longitudeDeg: -60.5, driftDeg: 60 },
  since: "2018-01-15",
  rolloutMonths: 48,
  defaults: TELCO_30S,
  stations: [
    ["OMBU00ARG", "Ombú Viejo", "Buenos Aires", "AR", -34.6, -58.38, 41.8, 16.2],
    ["CEIB00ARG", "El Ceibal", "Rosario", "AR", -32.95, -60.64, 45.5, 17.3],
    ["SIER00ARG", "Sierra del Ñandú", "Córdoba", "AR", -31.42, -64.18, 441.2, 24.3],
    ["CARD00ARG", "Cardonal, Posta 3", "Santa Rosa", "AR", -36.62, -64.29, 199.7, 18.9],
    ["FARO00URY", "Faro Chico", "Montevideo", "UY", -34.9, -56.16, 37.2, 14.8],
    ["ARRO00URY", "Arroyo Hondo", "Salto", "UY", -31.38, -57.96, 61.7, 15.2],
    ["SERR00BRA", "Serra da Neblina Baixa", "Porto Alegre", "BR", -30.03, -51.23, 33.6, 5.9, CORS_30S],
    ["PUER00ARG", "Puerto Calma", "Puerto Calma", "AR", -38.72, -62.27, 32.9, 13.1, CORS_30S],
    ["CORD00CHL", "Portezuelo Azul", "Santiago", "CL", -33.45, -70.67, 588.4, 26.9, CORS_30S],
    ["CHAC00PRY", "Chaco Kuarahy (tarde)", "Asunción", "PY", -25.28, -57.63, 141.9, 14.1, LATE_30S],
  ],
};

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
