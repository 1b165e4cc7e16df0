import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { StartError } from '../../../platform/database/database.js';
import { Encoding } from './encoding.js';

/** An element of an export with its text and what stands in it. */
export interface Element {
  readonly name: string;
  /** Where it begins. */
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: Element[];
}

/** What is wrong in a file, and on which line. */
export interface Fault {
  readonly line: number;
  readonly reason: string;
}

/** Elements that are handed over whole; those of the site have texts alone. */
const WHOLE: ReadonlySet<string> = new Set([
  ...['wp:author', 'wp:category', 'wp:tag', 'wp:term', 'item'],
]);
/** No deeper element is read, and no longer text; of one element so many parts. */
const DEEPEST = 8;
const LONGEST = 16 * 1024 * 1024;
const MOST_PARTS = 10_000;

/**
 * Reads an export of the original (WXR), zipped where its name ends with .gz, as a stream. Yields the
 * authors, terms and items, and the texts of the site, in their order; `faults` gets what is no XML. What
 * an element cannot hold is left out. Throws StartError for a file that cannot be read, that declares entities, or
 * whose elements are larger than any that the original writes: 16 MiB, 8 levels, 10,000 parts.
 */
export async function* readWxr(file: string, faults: Fault[]): AsyncGenerator<Element> {
  const tree = new Tree(file);
  const parser = new SaxesParser<{ xmlns: false; position: true }>({
    xmlns: false,
    position: true,
  });
  parser.on('error', (error) => {
    // It begins with the line and the column, and may end with a text of the file.
    const [reason = ''] = error.message.replace(/^\d{1,9}:\d{1,9}: /, '').split(':');
    faults.push({ line: parser.line, reason: `it is no XML there: ${reason}` });
  });
  parser.on('doctype', () => tree.refuse('it declares a document type'));
  parser.on('opentag', (tag) => tree.open(tag, parser.line));
  parser.on('text', (text) => tree.add(text));
  parser.on('cdata', (text) => tree.add(text));
  parser.on('closetag', () => tree.close());
  for await (const chunk of chunksOf(file, faults)) {
    parser.write(chunk);
    tree.bound(chunk.length);
    yield* tree.taken();
  }
  parser.close();
  yield* tree.taken();
}

async function* chunksOf(file: string, faults: Fault[]): AsyncGenerator<string> {
  const bytes = createReadStream(file, { highWaterMark: 64 * 1024 });
  const plain = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  bytes.on('error', (error) => plain.destroy(error));
  const decoder = new TextDecoder('utf-8');
  const encoding = new Encoding();
  const note = (lines: readonly number[]) => {
    const reason = 'it is no UTF-8 there: U+FFFD stands in its place';
    for (const line of lines) faults.push({ line, reason });
  };
  try {
    for await (const chunk of plain) {
      note(encoding.faultsIn(chunk as Buffer));
      yield decoder.decode(chunk as Buffer, { stream: true });
    }
    note(encoding.faultsAtEnd());
  } catch (cause) {
    throw new StartError(`The export ${file} cannot be read: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

/** Puts elements together, and keeps those that are whole until they are taken. */
class Tree {
  readonly #path: Element[] = [];
  #done: Element[] = [];
  /** Characters since the last element ended. */
  #pending = 0;

  constructor(private readonly file: string) {}

  open({ name, attributes }: SaxesTagPlain, line: number): void {
    if (this.#path.length >= DEEPEST) this.refuse(`its elements are nested deeper than ${DEEPEST}`);
    const element: Element = { name, line, attributes, text: '', children: [] };
    const parent = this.#path.at(-1);
    if (parent && isPart(parent, this.#path)) {
      if (parent.children.length >= MOST_PARTS)
        this.refuse('an element has more than 10,000 parts');
      parent.children.push(element);
    }
    this.#path.push(element);
  }

  add(text: string): void {
    const element = this.#path.at(-1);
    if (!element || element.name === 'channel' || element.name === 'rss') return;
    if (element.text.length + text.length > LONGEST) this.refuse('a text is longer than 16 MiB');
    element.text += text;
  }

  close(): void {
    const element = this.#path.pop();
    this.#pending = 0;
    const parent = this.#path.at(-1);
    if (element && parent?.name === 'channel') this.#done.push(element);
  }

  taken(): Element[] {
    const done = this.#done;
    this.#done = [];
    return done;
  }

  /** Counts what was read: an element that does not end is not kept for ever. */
  bound(length: number): void {
    this.#pending += length;
    if (this.#pending > 2 * LONGEST) this.refuse('an element is longer than 16 MiB');
  }

  refuse(reason: string): never {
    throw new StartError(`The export ${this.file} is refused: ${reason}.`);
  }
}

/** Returns whether an element is a part of one that is handed over whole. */
const isPart = ({ name }: Element, path: readonly Element[]): boolean =>
  WHOLE.has(name) || path.some((one) => WHOLE.has(one.name));
