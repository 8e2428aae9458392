import type { DerivedAnswer } from "#shared/bridge/methods/compare.ts";
import { decimal } from "#shared/text.ts";
import { BEVIS, SAASTAMOINEN, STANDARD_ATMOSPHERE } from "./constants.ts";

const { latitude, metresPerHpa } = SAASTAMOINEN;
const { k2PrimeKPerHpa, k3K2PerHpa, meanTemperature, vapourGasConstant, waterDensity } = BEVIS;
const { pressureHpa, temperatureK, lapseKPerM, exponent } = STANDARD_ATMOSPHERE;

/** The formulas with the constants that the computation uses. */
export const FORMULAS: DerivedAnswer["formulas"] = [
  {
    name: "ZHD",
    formula: `${metresPerHpa} m/hPa · P / (1 − ${latitude} · cos 2φ − 2.8·10⁻⁷ · H), Saastamoinen 1972, Davis 1985`,
  },
  { name: "ZWD", formula: "ZTD − ZHD" },
  {
    name: "IWV",
    formula: `ρw · Π · ZWD, Π = 10⁸ / (ρw · Rv · (k₃/Tm + k₂′)), ρw ${waterDensity} kg m⁻³, Rv ${vapourGasConstant} J kg⁻¹ K⁻¹, k₂′ ${k2PrimeKPerHpa} K/hPa, k₃ ${decimal(k3K2PerHpa, 0, 3)} K²/hPa, Bevis 1994; 1 mm of PWV is 1 kg m⁻²`,
  },
  { name: "Tm", formula: `${meanTemperature.offsetK} K + ${meanTemperature.slope} · Ts, Bevis 1992` },
  {
    name: "Standard atmosphere",
    formula: `P = ${pressureHpa} hPa · (1 − ${lapseKPerM} · H / ${temperatureK})^${exponent}, Ts = ${temperatureK} K − ${lapseKPerM} K/m · H; H above the geoid`,
  },
  {
    name: "Uncertainty",
    formula:
      "of first order, inputs taken as independent: σ(ZHD) = ZHD/P · σ(P), σ(ZWD)² = σ(ZTD)² + σ(ZHD)², σ(IWV)² = (Π · σ(ZWD))² + (ZWD · dΠ/dTm · σ(Tm))²; that of the constants is not in it",
  },
];
