import { createReadStream } from 'node:fs';
import { StartError } from '../../../platform/database/database.js';

/** The longest line that is read, in bytes. */
const LONGEST = 64 * 2 ** 20;
const NEWLINE = 0x0a;

/** A line of a file. */
export interface TextLine {
  /** With its newline. */
  readonly bytes: Buffer;
  /** Where it begins in the file. */
  readonly at: number;
  /** Whether a newline ends it. */
  readonly isEnded: boolean;
}

/**
 * Yields the lines of a file, or of a part of it that begins with a line: the bytes from `start` to
 * `end`, which is not included. Throws StartError for a line of more than 64 MiB.
 */
export async function* textLines(
  path: string,
  part?: { readonly start: number; readonly end: number },
): AsyncGenerator<TextLine> {
  let at = part?.start ?? 0;
  let begun: Buffer[] = [];
  let length = 0;
  const line = (end: Buffer, isEnded: boolean): TextLine => {
    const bytes = begun.length === 0 ? end : Buffer.concat([...begun, end]);
    const found = { bytes, at, isEnded };
    at += bytes.length;
    begun = [];
    length = 0;
    return found;
  };
  const range = part && { start: part.start, end: part.end - 1 };
  for await (const chunk of createReadStream(path, range) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      yield line(chunk.subarray(from, to + 1), true);
      from = to + 1;
    }
    if (from === chunk.length) continue;
    begun.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > LONGEST) throw new StartError(`${path} has a line of more than 64 MiB.`);
  }
  if (begun.length > 0) yield line(Buffer.alloc(0), false);
}
