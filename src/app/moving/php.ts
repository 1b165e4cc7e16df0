/** What PHP's `serialize` writes, without objects and references. */
export type PhpValue = string | number | boolean | null | Map<string | number, PhpValue>;

/** No deeper list of lists is read, nor a longer text. */
const DEEPEST = 32;
const LONGEST = 4 * 1024 * 1024;

/**
 * Reads a value that PHP has serialized. Texts are counted in bytes of UTF-8; integers above 2^53 are rounded.
 * Returns undefined for what is broken, cut off, nested deeper than 32, longer than 4 MiB, or holds an object or a reference.
 */
export function unserialize(text: string): PhpValue | undefined {
  const bytes = Buffer.from(text);
  if (bytes.length > LONGEST) return undefined;
  try {
    const reader = new Reader(bytes);
    const value = reader.value(0);
    return reader.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof Broken) return undefined;
    throw error;
  }
}

/** Returns a value as JSON has it: a list where the keys count up from 0, else an object. */
export function plainOf(value: PhpValue): unknown {
  if (!(value instanceof Map)) return value;
  const isList = [...value.keys()].every((key, i) => key === i);
  if (isList) return [...value.values()].map(plainOf);
  return Object.fromEntries([...value].map(([key, one]) => [String(key), plainOf(one)]));
}

/** Returns a value of JSON as PHP has it: lists and objects are both lists with keys. */
export function phpOf(value: unknown): PhpValue {
  if (value === null || typeof value !== 'object') return (value ?? null) as PhpValue;
  return new Map(
    Object.entries(value).map(([key, one]) => [
      // PHP has numbers for keys that are written as numbers are.
      /^(0|-?[1-9]\d{0,14})$/.test(key) ? Number(key) : key,
      phpOf(one),
    ]),
  );
}

/** Writes a value as PHP serializes it, so that `unserialize` reads it. */
export function serialize(value: PhpValue): string {
  if (value === null) return 'N;';
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`;
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 1e15 ? `i:${value};` : `d:${value};`;
  const entries = [...value].map(([key, one]) => serialize(key) + serialize(one));
  return `a:${value.size}:{${entries.join('')}}`;
}

class Broken extends Error {}

class Reader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  value(depth: number): PhpValue {
    const kind = this.#take(2);
    if (kind === 'N;') return null;
    if (kind === 's:') return this.#text();
    if (kind === 'a:') return this.#list(depth);
    const written = this.#until(';');
    if (kind === 'b:' && /^[01]$/.test(written)) return written === '1';
    if (kind === 'i:' && /^-?\d{1,19}$/.test(written)) return Number(written);
    if (kind === 'd:' && Number.isFinite(Number(written))) return Number(written);
    throw new Broken();
  }

  #list(depth: number): Map<string | number, PhpValue> {
    if (depth >= DEEPEST) throw new Broken();
    const count = this.#count('{');
    const list = new Map<string | number, PhpValue>();
    for (let i = 0; i < count; i++) {
      const key = this.value(DEEPEST);
      if (typeof key !== 'string' && typeof key !== 'number') throw new Broken();
      list.set(key, this.value(depth + 1));
    }
    if (this.#take(1) !== '}') throw new Broken();
    return list;
  }

  #text(): string {
    const length = this.#count('"');
    const text = this.bytes.toString('utf8', this.#at, this.#at + length);
    this.#at += length;
    if (this.#take(2) !== '";') throw new Broken();
    return text;
  }

  /** Reads a number of what follows, and the colon and the sign that open it. */
  #count(opening: string): number {
    const count = this.#until(':');
    if (!/^\d{1,7}$/.test(count) || this.#take(1) !== opening) throw new Broken();
    return Number(count);
  }

  #until(sign: string): string {
    const end = this.bytes.indexOf(sign, this.#at);
    if (end < 0 || end - this.#at > 40) throw new Broken();
    const text = this.bytes.toString('latin1', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #take(count: number): string {
    const text = this.bytes.toString('latin1', this.#at, this.#at + count);
    if (text.length < count) throw new Broken();
    this.#at += count;
    return text;
  }
}
