import { open, type FileHandle } from "node:fs/promises";
import { defined } from "#shared/defined.ts";
import type { KeyValue, RowGroup, SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import { FOOTER_KEY, FOOTER_ZEROS, withFooterChecksum } from "./footer.ts";
import type { EncodedColumn } from "./pages.ts";

const MAGIC = Buffer.from("PAR1", "latin1");

/** Receives the bytes of a file in order, such as a `ByteSink`. */
export interface ParquetOutput {
  write(bytes: Uint8Array): Promise<void>;
}

/** Writes a Parquet file: row groups, then the footer. */
export class ParquetFile {
  readonly #output: ParquetOutput;
  readonly #schema: readonly SchemaElement[];
  readonly #groups: RowGroup[] = [];
  #offset = MAGIC.length;
  #rows = 0;

  private constructor(output: ParquetOutput, schema: readonly SchemaElement[]) {
    this.#output = output;
    this.#schema = schema;
  }

  /** Starts a file. @param schema the root, then one element for each column */
  static async begin(output: ParquetOutput, schema: readonly SchemaElement[]): Promise<ParquetFile> {
    await output.write(MAGIC);
    return new ParquetFile(output, schema);
  }

  /** Appends a row group: one encoded column for each column of the schema. */
  async append(columns: readonly EncodedColumn[], rows: number): Promise<void> {
    let at = this.#offset;
    const chunks = columns.map(({ meta, length }, i) => {
      const start = BigInt(at);
      at += length;
      return {
        file_offset: start,
        meta_data: {
          ...meta,
          path_in_schema: [defined(this.#schema[i + 1]).name],
          data_page_offset: start + meta.data_page_offset,
          ...(meta.dictionary_page_offset === undefined
            ? {}
            : { dictionary_page_offset: start + meta.dictionary_page_offset }),
        },
      };
    });
    await this.#output.write(Buffer.concat(columns.flatMap((c) => c.bytes)));
    this.#offset = at;
    this.#rows += rows;
    this.#groups.push({
      columns: chunks,
      num_rows: BigInt(rows),
      total_byte_size: chunks.reduce((sum, c) => sum + c.meta_data.total_uncompressed_size, 0n),
      total_compressed_size: chunks.reduce((sum, c) => sum + c.meta_data.total_compressed_size, 0n),
    });
  }

  /** Writes the footer. @returns the size of the file */
  async finish(keyValues: readonly KeyValue[], program: string): Promise<number> {
    const footer = new ByteWriter(1 << 12);
    writeMetadata(footer, {
      version: 2,
      schema: [...this.#schema],
      num_rows: BigInt(this.#rows),
      row_groups: this.#groups,
      key_value_metadata: [...keyValues, { key: FOOTER_KEY, value: FOOTER_ZEROS }],
      created_by: program,
      // Only set by readers.
      metadata_length: 0,
    });
    await this.#output.write(Buffer.concat([withFooterChecksum(Buffer.from(footer.getBytes())), MAGIC]));
    return this.#offset + footer.offset + MAGIC.length;
  }
}

/** A new file of a dataset, whose folder gets its name only when everything is on the disk. */
export class PartFile implements ParquetOutput {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(path: string): Promise<PartFile> {
    return new PartFile(await open(path, "wx"));
  }

  async write(bytes: Uint8Array): Promise<void> {
    // Unlike `write`, `appendFile` continues after a partial write.
    await this.#handle.appendFile(bytes);
  }

  /** Syncs and closes the file. */
  async finish(): Promise<void> {
    await this.#handle.sync();
    await this.#handle.close();
  }

  /** Closes the file after a failure. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }
}
