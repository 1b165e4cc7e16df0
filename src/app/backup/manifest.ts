import { createHash } from 'node:crypto';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** The first file of a backup: of what it is. */
export interface About {
  readonly format: 'care-backup-1';
  /** The version of the service that wrote it. */
  readonly version: string;
  readonly madeAt: string;
  /** Fingerprint of the SECRET_KEY under which its contents are. */
  readonly key: string;
  /** Names of the migrations that made its tables. */
  readonly migrations: readonly string[];
  /** Columns and types of each table, as one text. */
  readonly tables: Readonly<Record<string, string>>;
}

/**
 * How much there is of a table or a file. The SHA-256, in hexadecimal digits, is that of the bytes
 * of a file; of a table it is the sum of those of its rows, which have no order.
 */
export interface Measure {
  /** Rows of a table, bytes of a file. */
  readonly count: number;
  readonly sha256: string;
}

/** The last file of a backup: what is in it, so that a part that is missing is noticed. */
export interface Manifest {
  readonly tables: Readonly<Record<string, Measure>>;
  /** By their path below the data directory. */
  readonly files: Readonly<Record<string, Measure>>;
  /** The last value of each sequence that was used, as text. */
  readonly sequences: Readonly<Record<string, string>>;
  /** Definitions of the indexes that the service made for fields of models. */
  readonly indexes: readonly string[];
}

export const ABOUT = 'about.json';
export const MANIFEST = 'manifest.json';
export const TABLES = 'tables/';
export const FILES = 'files/';

/** Measures the rows of a table, each given as the text of its values. */
export class RowTally {
  #count = 0;
  #sum = 0n;

  add(rows: readonly string[]): void {
    this.#count += rows.length;
    for (const row of rows) this.#sum += BigInt(`0x${hashOf(row)}`);
  }

  end(): Measure {
    const sum = BigInt.asUintN(256, this.#sum);
    return { count: this.#count, sha256: sum.toString(16).padStart(64, '0') };
  }
}

/** Measures the bytes of a file. */
export class ByteTally {
  #count = 0;
  readonly #hash = createHash('sha256');

  add(bytes: Uint8Array): void {
    this.#count += bytes.length;
    this.#hash.update(bytes);
  }

  /** Returns the measure. Takes nothing more afterwards. */
  end(): Measure {
    return { count: this.#count, sha256: this.#hash.digest('hex') };
  }
}
