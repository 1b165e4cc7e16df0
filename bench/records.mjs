// What a transport got, in a file of 28 bytes for each push: memory is measured, so that nothing
// may pile up there.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Device (4 bytes), milliseconds since 1970 (8), id of the message (16). */
const SIZE = 28;
const KEPT = 1_000;

export class Records {
  #file;
  #buffer = Buffer.alloc(KEPT * SIZE);
  #length = 0;
  #timer;

  constructor(path) {
    this.#file = openSync(path, 'a');
    this.#timer = setInterval(() => this.#flush(), 200).unref();
  }

  /** `id`: 22 characters of URL-safe base64. */
  add({ device, at, id }) {
    if (this.#length === this.#buffer.length) this.#flush();
    this.#length = this.#buffer.writeUInt32LE(device, this.#length);
    this.#length = this.#buffer.writeDoubleLE(at, this.#length);
    this.#length += this.#buffer.write(id, this.#length, 'base64url');
  }

  close() {
    clearInterval(this.#timer);
    this.#flush();
    closeSync(this.#file);
  }

  #flush() {
    writeSync(this.#file, this.#buffer, 0, this.#length);
    this.#length = 0;
  }
}

/**
 * The records of a file, in columns: devices, instants in milliseconds, ids of the messages as
 * hexadecimal digits.
 */
export function readRecords(path) {
  const bytes = readFileSync(path);
  const starts = Array.from({ length: Math.floor(bytes.length / SIZE) }, (_, i) => i * SIZE);
  return {
    devices: starts.map((start) => bytes.readUInt32LE(start)),
    instants: starts.map((start) => bytes.readDoubleLE(start + 4)),
    ids: starts.map((start) => bytes.toString('hex', start + 12, start + SIZE)),
  };
}
