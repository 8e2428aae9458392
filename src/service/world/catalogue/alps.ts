import { CORS_30S, TELCO_30S, type NetworkPlan } from "./plan.ts";

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
    // Struck by lightning in spring and not repaired since.
    ["BLIT00DEU", "Blitzstein", "Blitzstein", "DE", 47.42, 10.98, 3013.5, 48.7, { until: "2026-04-17" }],
    ["ISAR00DEU", "Isarau Funkturm", "München", "DE", 48.14, 11.58, 566.1, 46.2, TELCO_30S],
  ],
};
