import { isUtf8 } from 'node:buffer';

const LINE_END = 0x0a;

/** Finds the lines of a file that are no UTF-8 by its bytes: a U+FFFD may stand in the text itself. */
export class Encoding {
  #line = 1;
  /** The last line that was told. */
  #told = 0;
  /** The beginning of a character that goes on in the next chunk. */
  #rest: Buffer = Buffer.alloc(0);

  /** Returns the numbers of the lines of a chunk that are no UTF-8, each once. */
  faultsIn(chunk: Buffer): number[] {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const end = bytes.length - unfinished(bytes);
    this.#rest = bytes.subarray(end);
    return this.#faultsOf(bytes.subarray(0, end));
  }

  /** Returns the number of the last line where the file ends within a character. */
  faultsAtEnd(): number[] {
    return this.#faultsOf(this.#rest);
  }

  #faultsOf(bytes: Buffer): number[] {
    const faults: number[] = [];
    for (let from = 0; from <= bytes.length; this.#line++) {
      const found = bytes.indexOf(LINE_END, from);
      const end = found < 0 ? bytes.length : found;
      if (!isUtf8(bytes.subarray(from, end)) && this.#told < this.#line) {
        faults.push(this.#line);
        this.#told = this.#line;
      }
      if (found < 0) break;
      from = end + 1;
    }
    return faults;
  }
}

/** Returns how many bytes at the end of a text begin a character that does not end there. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
