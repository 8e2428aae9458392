import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { itUnless, WINDOWS_LACKS } from "../../support/needs.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { scratchFolder } from "../tools.ts";

const folder = scratchFolder();
const [HEAD, FIRST, SECOND] = [
  "station_id,time,ztd_mm\r\n",
  "a,2026-01-01T00:00:00Z,2400.5\r\n",
  "a,2026-01-01T00:00:30Z,2400.6\r\n",
];
const CSV = HEAD + FIRST + SECOND;
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

interface Packing {
  readonly method?: number;
  readonly flags?: number;
}

/** A zip archive by APPNOTE.TXT, with a comment at its end. */
function zip(members: Readonly<Record<string, string | Buffer>>, { method = 8, flags = 0 }: Packing = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(members)) {
    const content = Buffer.from(text);
    const data = method === 8 ? deflateRawSync(content) : content;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(4, 28);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    // Two extra fields in the local header that the directory does not have.
    const whole = Buffer.concat([local, Buffer.from(name), Buffer.alloc(4), data]);
    parts.push(whole);
    directory.push(Buffer.concat([entry, Buffer.from(name)]));
    at += whole.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(7, 20);
  return Buffer.concat([...parts, list, end, Buffer.from("comment")]);
}

/** An archive of `a.csv`, stored, with bytes overwritten at an offset from the signature of a part. */
function changedZip(part: "local" | "entry" | "end", at: number, hex: string): Buffer {
  const archive = zip({ "a.csv": CSV }, { method: 0 });
  const signature = { local: "504b0304", entry: "504b0102", end: "504b0506" }[part];
  archive.write(hex, archive.indexOf(signature, 0, "hex") + at, "hex");
  return archive;
}

/** The archive with the first entry of its directory only. */
function unlisting(archive: Buffer): Buffer {
  const [first, second] = [
    archive.indexOf("504b0102", 0, "hex"),
    archive.indexOf("504b0102", archive.indexOf("504b0102", 0, "hex") + 4, "hex"),
  ];
  const end = Buffer.from(archive.subarray(archive.indexOf("504b0506", 0, "hex")));
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(second - first, 12);
  return Buffer.concat([archive.subarray(0, second), end]);
}

async function opened(content: Buffer, member?: string): Promise<{ readonly values: readonly number[] } | string> {
  const path = join(folder, "file");
  writeFileSync(path, content);
  const file = await openSeriesFile(path, member === undefined ? {} : { member });
  if (!file.ok) return file.error.message;
  const values = [...file.value.rows(0).values];
  file.value.close();
  return { values };
}

const SAME = { values: [2_400.5, 2_400.6] };

describe("a compressed file", () => {
  it.each([
    ["gzip", gzipSync(CSV)],
    ["gzip in two members", Buffer.concat([gzipSync(CSV.slice(0, 40)), gzipSync(CSV.slice(40))])],
    ["zip", zip({ "a.csv": CSV })],
    ["zip without compression", zip({ "a.csv": CSV }, { method: 0 })],
    ["zip of gzip", zip({ "a.csv.gz": gzipSync(CSV) })],
    ["zip of two days", zip({ "2.csv": HEAD + SECOND, "1.csv.gz": gzipSync(HEAD + FIRST) })],
    ["zip with another file", zip({ "a.csv": CSV, "a.png": PNG })],
    ["zip of Windows", zip({ "data\\": "", ".\\data\\2.csv": HEAD + SECOND, "..\\.x\\1.csv": HEAD + FIRST })],
    ["zip of macOS", zip({ "data/": "", "data/a.csv": CSV, "__MACOSX/data/._a.csv": "x", "data/.DS_Store": "x" })],
  ])("is read as its content: %s", async (_, content) => {
    expect(await opened(content)).toEqual(SAME);
  });

  itUnless(WINDOWS_LACKS, "made by gzip is read as its content", async () => {
    const plain = join(folder, "plain.csv");
    writeFileSync(plain, CSV);
    const made = spawnSync("gzip", ["-9", "--stdout", plain]);
    expect(made.status).toBe(0);
    expect(await opened(made.stdout)).toEqual(SAME);
  });

  it.each([
    ["cut short", gzipSync(CSV).subarray(0, 30), /damaged or incomplete/],
    ["with a flipped byte", gzipSync(CSV).map((byte, i) => (i === 25 ? byte ^ 255 : byte)), /damaged or incomplete/],
    ["of a picture", gzipSync(PNG), /of no known format/],
    ["of a compressed file", gzipSync(gzipSync(CSV)), /compressed twice/],
    ["of an empty file", gzipSync(""), /empty/],
    ["of a tar archive", gzipSync(`a.csv${"\0".repeat(252)}ustar\0`), /tar -xf/],
    ["zip of pictures", zip({ "a.png": PNG, "b.png": PNG }), /^None of these files can be opened\. a\.png: /],
    ["zip in a zip", zip({ "a.zip": zip({ "a.csv": CSV }) }), /compressed twice/],
    ["zip without files", zip({}), /zip archive is empty/],
    ["zip of an empty file", zip({ "a.csv": "" }), /holds an empty file/],
    ["zip of an empty file, stored", zip({ "a.csv": "" }, { method: 0 }), /holds an empty file/],
    ["zip that is encrypted", zip({ "a.csv": CSV }, { flags: 1 }), /encrypted/],
    ["zip with an unsupported method", zip({ "a.csv": CSV }, { method: 14 }), /cannot be unpacked here/],
    ["zip cut short", zip({ "a.csv": CSV }).subarray(0, 80), /zip archive is damaged/],
    ["zip with a changed digit", changedZip("local", 30 + 5 + 4 + 50, "37"), /differs from its checksum or size/],
    ["zip with another checksum", changedZip("entry", 16, "00000000"), /differs from its checksum or size/],
    ["zip with another size", changedZip("entry", 24, "05000000"), /differs from its checksum or size/],
    ["zip with a wrong offset in its directory", changedZip("entry", 42, "01000000"), /directory does not list/],
    ["zip with a file longer than the archive", changedZip("entry", 20, "00000001"), /zip archive is damaged/],
    [
      "zip that lists one of its three files",
      unlisting(zip({ "a.csv": CSV, "b.csv": CSV, "c.csv": CSV })),
      /directory does not list/,
    ],
    ["zip64 without its end record", changedZip("end", 10, "ffff"), /zip archive is damaged/],
    ["zip64 without the offset of its directory", changedZip("end", 16, "ffffffff"), /zip archive is damaged/],
    ["zip64 without the size of a file", changedZip("entry", 24, "ffffffff"), /zip archive is damaged/],
    ["zip64 without the offset of a file", changedZip("entry", 42, "ffffffff"), /directory does not list/],
  ])("is rejected with a message: %s", async (_, content, message) => {
    expect(await opened(Buffer.from(content))).toMatch(message);
  });

  it("is read as one of its files or folders, if one is selected", async () => {
    const archive = zip({ "x/a.csv": HEAD + FIRST, "x/b.csv": HEAD + SECOND, "y/a.csv": HEAD + SECOND });
    expect(await opened(archive, "x")).toEqual(SAME);
    expect(await opened(archive, "y/a.csv")).toEqual({ values: [2_400.6] });
    expect(await opened(archive, "z")).toMatch(
      /^There is no “z” in it\. It has “x\/a\.csv”, “x\/b\.csv”, “y\/a\.csv”\.$/,
    );
    expect(await opened(Buffer.from(CSV), "z")).toMatch(/neither a zip archive nor a folder/);
  });

  it("leaves no unpacked files", async () => {
    const path = join(folder, "one.csv.gz");
    writeFileSync(path, gzipSync(CSV));
    // Of this test alone: other programs write to the system's folder, too.
    const own = join(folder, "temporary");
    mkdirSync(own);
    vi.stubEnv("TMPDIR", own);
    const file = await openSeriesFile(path);
    vi.unstubAllEnvs();
    expect(file.ok).toBe(true);
    if (file.ok) file.value.close();
    expect(readdirSync(own)).toEqual([]);
  });
});
