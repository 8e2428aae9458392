import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { settings } from "./settings.ts";

/** Prefixes of data encrypted by Chromium's key providers. */
const HEADS = { keyring: "v11", portal: "v12", none: "v10", refuses: "", locked: "v11" };
/** The first answer of the store counts for the whole process. */
const IS_REFUSING = settings.keyStore === "refuses" || settings.keyStore === "locked";
const HEAD = HEADS[settings.keyStore] ?? HEADS.keyring;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with a key of the test, like a secret store of the system. */
function encrypt(text: string): Buffer {
  if (IS_REFUSING) throw new Error("Error while encrypting the text provided to safeStorage.encryptStringAsync.");
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(settings.storageKey, "hex"), iv);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.from(HEAD), iv, cipher.getAuthTag(), body]);
}

function decrypt(encrypted: Buffer): string {
  const refused = new Error("Error while decrypting the ciphertext provided to safeStorage.decryptString.");
  if (IS_REFUSING || encrypted.subarray(0, HEAD.length).toString() !== HEAD) throw refused;
  const [iv, tag] = [HEAD.length, HEAD.length + IV_BYTES];
  const body = tag + TAG_BYTES;
  try {
    const key = Buffer.from(settings.storageKey, "hex");
    const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(iv, tag));
    decipher.setAuthTag(encrypted.subarray(tag, body));
    return Buffer.concat([decipher.update(encrypted.subarray(body)), decipher.final()]).toString("utf8");
  } catch {
    throw refused;
  }
}

export const safeStorage = {
  encryptStringAsync: (text: string) => Promise.resolve().then(() => encrypt(text)),
  decryptStringAsync: (encrypted: Buffer) =>
    Promise.resolve().then(() => ({ result: decrypt(encrypted), shouldReEncrypt: false })),
};
