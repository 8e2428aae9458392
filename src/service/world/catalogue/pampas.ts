import { CORS_30S, TELCO_30S, type NetworkPlan } from "./plan.ts";

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
    // Reached by a slow line that is emptied every two hours.
    [
      "CHAC00PRY",
      "Chaco Kuarahy (tarde)",
      "Asunción",
      "PY",
      -25.28,
      -57.63,
      141.9,
      14.1,
      { ...CORS_30S, latencySeconds: 7200 },
    ],
  ],
};
