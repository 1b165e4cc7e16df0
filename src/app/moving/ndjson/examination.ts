import { createHash } from 'node:crypto';
import { StartError } from '../../../platform/database/database.js';
import type { Line } from '../lines/line.js';
import { FORMAT, FORMAT_VERSION, LINE_KINDS } from '../lines/line-kinds.js';
import type { TextLine } from './text-lines.js';

/** Where the lines of a kind stand, and how many there are. */
export interface Extent {
  readonly start: number;
  end: number;
  count: number;
}

/** What an export turned out to be. */
export interface Examined {
  readonly extents: ReadonlyMap<string, Extent>;
  /** The last number of each table that its service has given. */
  readonly lastIds: Readonly<Record<string, number>>;
  /** Of all of its bytes, hexadecimal. */
  readonly sha256: string;
}

const ORDER: ReadonlyMap<string, number> = new Map(LINE_KINDS.map(({ name }, i) => [name, i]));

/** Looks whether a file of lines is an export, and whole. Throws StartError with one sentence. */
export class Examination {
  readonly #extents = new Map<string, Extent>();
  readonly #hash = createHash('sha256');
  #lastIds: Record<string, number> | undefined;
  #number = 0;
  #place = -1;
  #id = 0;
  #isOver = false;

  constructor(private readonly name: string) {}

  /** Takes the next line. */
  take({ bytes, at, isEnded }: TextLine): void {
    this.#hash.update(bytes);
    this.#number++;
    if (this.#isOver) throw this.#fault('it stands behind the end');
    const line = isEnded ? lineIn(bytes) : undefined;
    if (!line) throw this.#fault('it is no JSON object, or it is cut short');
    if (!this.#lastIds) this.#begin(line);
    else if (line.kind === 'end') this.#finish(line);
    else this.#add(line, at, bytes.length);
  }

  end(): Examined {
    if (!this.#isOver || !this.#lastIds)
      throw new StartError(`${this.name} is cut short: its last line is missing.`);
    const sha256 = this.#hash.digest('hex');
    return { extents: this.#extents, lastIds: this.#lastIds, sha256 };
  }

  #begin({ kind, version, lastIds }: Line): void {
    if (kind !== FORMAT) throw new StartError(`${this.name} is no export of this service.`);
    if (version !== FORMAT_VERSION)
      throw new StartError(`${this.name} has a form that is not known here: version ${version}.`);
    this.#lastIds = numbersIn(lastIds);
  }

  #finish({ lines }: Line): void {
    const found = this.#number - 2;
    if (lines !== found)
      throw new StartError(`${this.name} is not whole: ${found} of ${lines} lines are in it.`);
    this.#isOver = true;
  }

  #add({ kind, id }: Line, at: number, length: number): void {
    const place = ORDER.get(kind);
    if (place === undefined) throw this.#fault(`its kind is not known here: ${kind}`);
    if (place < this.#place) throw this.#fault('lines of a later kind stand before it');
    const isNext = place === this.#place && typeof id === 'number';
    if (isNext && id <= this.#id)
      throw this.#fault('its number is not above that of the line before it');
    this.#place = place;
    this.#id = Number(id ?? 0);
    const extent = this.#extents.get(kind) ?? { start: at, end: at, count: 0 };
    extent.end = at + length;
    extent.count++;
    this.#extents.set(kind, extent);
  }

  #fault(what: string): StartError {
    return new StartError(`${this.name} line ${this.#number}: ${what}.`);
  }
}

const numbersIn = (value: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries(value ?? {}).filter(
      (one): one is [string, number] => Number.isSafeInteger(one[1]) && one[1] > 0,
    ),
  );

/** Returns the object of a JSON text; undefined for what is none. */
export function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the object of a line; undefined for what is no line. */
export function lineIn(bytes: Uint8Array): Line | undefined {
  const line = objectIn(Buffer.from(bytes).toString()) as Partial<Line> | undefined;
  return typeof line?.kind === 'string' ? (line as Line) : undefined;
}
