/** What comes between blocks of its level: markup, or a block. */
export interface Block {
  /** Without `core/`; undefined for markup outside of all blocks. */
  readonly name: string | undefined;
  /** JSON as it is written; empty for none. */
  readonly attributes: string;
  /** The name of the block that it stands in; undefined at the top. */
  readonly parent: string | undefined;
}

/**
 * Makes something of a block once it ends, of its markup and of what was made of the blocks in it, in
 * their order.
 */
export type Shower<T> = (block: Block, pieces: readonly (string | T)[]) => T;

interface Delimiter {
  readonly at: number;
  readonly kind: 'open' | 'close' | 'alone';
  readonly name: string;
  readonly attributes: string;
  readonly end: number;
}

interface Frame<T> {
  readonly block: Block;
  readonly pieces: (string | T)[];
  /** Where its delimiter starts, and the markup before that: it counts only if the block never ends. */
  readonly at: number;
  readonly before: number;
  /** Where the markup starts that is in no piece yet. */
  from: number;
}

const HEAD =
  /<!--[\t-\r ]+(\/?)wp:((?:[a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_-]*)[\t-\r ]+(?:(\{)|(\/?)-->)/y;
const ATTRIBUTES_END = /\}[\t-\r ]+(\/?)-->/g;
/** Characters that blocks which never end may repeat: each of them has the rest of the text. */
const MOST_REPEATED = 256 * 1024;

/**
 * Splits a content into the blocks at its top and the markup between them, in one pass, as the
 * original's parser reads it. A closing delimiter ends the innermost block, whatever its name. One
 * that ends nothing makes the rest of the text markup. Blocks that never end come from the innermost
 * outwards, each with the rest of the text.
 */
export function* topBlocks<T>(raw: string, show: Shower<T>): Generator<T> {
  const open: Frame<T>[] = [];
  let from = 0;
  const markup = function* (start: number, end: number): Generator<T> {
    if (end > start) yield show(MARKUP, [raw.slice(start, end)]);
  };
  for (const { at, kind, name, attributes, end } of delimitersIn(raw)) {
    const above = open.at(-1);
    const block = { name, attributes, parent: above?.block.name };
    if (kind === 'open') open.push({ block, pieces: [], at, before: from, from: end });
    else if (kind === 'alone') {
      if (above) add(raw, above, at, show(block, []), end);
      else yield* markup(from, at);
      if (!above) yield show(block, []);
    } else if (!above) return yield* markup(from, raw.length);
    else {
      open.pop();
      const outer = open.at(-1);
      if (!outer) yield* markup(above.before, above.at);
      const shown = show(above.block, closed(raw, above, at));
      if (outer) add(raw, outer, above.at, shown, end);
      else yield shown;
    }
    from = end;
  }
  if (open.length === 0) yield* markup(from, raw.length);
  let repeated = 0;
  for (let last = open.pop(); last; last = open.pop()) {
    yield* markup(last.before, last.at);
    repeated += raw.length - last.from;
    const end = repeated > MOST_REPEATED && open.length > 0 ? last.from : raw.length;
    yield show(last.block, closed(raw, last, end));
  }
}

const MARKUP: Block = { name: undefined, attributes: '', parent: undefined };

function closed<T>(raw: string, { pieces, from }: Frame<T>, end: number): readonly (string | T)[] {
  return end > from ? [...pieces, raw.slice(from, end)] : pieces;
}

function add<T>(raw: string, frame: Frame<T>, at: number, shown: T, end: number): void {
  if (at > frame.from) frame.pieces.push(raw.slice(frame.from, at));
  frame.pieces.push(shown);
  frame.from = end;
}

function* delimitersIn(raw: string): Generator<Delimiter> {
  let ending = { index: -1, end: 0, alone: false };
  /** Returns where the attributes that start at `at` end: at the next brace before the end of a comment. */
  const endingFrom = (at: number) => {
    if (ending.index >= at) return ending;
    ATTRIBUTES_END.lastIndex = at;
    const found = ATTRIBUTES_END.exec(raw);
    ending = found
      ? { index: found.index, end: ATTRIBUTES_END.lastIndex, alone: found[1] === '/' }
      : { index: Number.POSITIVE_INFINITY, end: 0, alone: false };
    return ending;
  };
  for (let at = raw.indexOf('<!--'); at >= 0; at = raw.indexOf('<!--', at)) {
    HEAD.lastIndex = at;
    const [head, slash, name = '', brace, alone] = HEAD.exec(raw) ?? [];
    const start = at + (head?.length ?? 0);
    const stop = brace ? endingFrom(start) : { index: start, end: start, alone: alone === '/' };
    if (head === undefined || stop.index === Number.POSITIVE_INFINITY) {
      at += 4;
      continue;
    }
    yield {
      at,
      kind: stop.alone ? 'alone' : slash ? 'close' : 'open',
      name: name.replace(/^core\//, ''),
      attributes: brace ? raw.slice(start - 1, stop.index + 1) : '',
      end: stop.end,
    };
    at = stop.end;
  }
}
