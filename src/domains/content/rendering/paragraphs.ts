import {
  BLOCK_ELEMENTS,
  edges,
  type Tag,
  type Token,
  tokens,
  VOID_ELEMENTS,
} from '../../../platform/markup.js';

/** Elements whose line breaks make no paragraphs. */
export const OPAQUE: ReadonlySet<string> = new Set([
  'audio',
  'math',
  'object',
  'picture',
  'pre',
  'select',
  'svg',
  'video',
]);
/** Block elements that contain paragraphs. Text in others (li, headings, captions) gets none. */
const FLOW = new Set([
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'dd',
    'details',
    'div',
    'fieldset',
    'footer',
    'form',
    'header',
    'main',
  ],
  ...['nav', 'section', 'td', 'th'],
]);

interface Piece {
  source: string;
  text: boolean;
}

interface BlockTag {
  source: string;
  tag: Tag;
}

/**
 * Returns classic text as HTML. Blank lines and block elements separate paragraphs, and single line
 * breaks become `<br />`. Block elements and preformatted text are not put into paragraphs. A
 * result that is not empty ends with a line break.
 */
export function paragraphs(text: string): string {
  const list = [...tokens(text.replaceAll(/\r\n?/g, '\n'))];
  const lastCloser = new Map<string, number>();
  for (const [index, token] of list.entries())
    if (token.kind === 'tag' && token.tag.closing) lastCloser.set(token.tag.name, index);
  const page = new Page();
  for (let index = 0; index < list.length; index++) {
    const token = list[index] as Token;
    if (token.kind === 'text') page.text(token.source);
    else if (token.kind !== 'tag') page.inline(token.source);
    else if (
      !token.tag.closing &&
      OPAQUE.has(token.tag.name) &&
      (lastCloser.get(token.tag.name) ?? -1) > index
    ) {
      const from = index;
      while (!isCloser(list[index] as Token, token.tag.name)) index++;
      page.opaque(token.tag.name, joined(list.slice(from, index + 1)));
    } else page.tag(token);
  }
  return page.end();
}

const joined = (pieces: { source: string }[]): string =>
  pieces.map((piece) => piece.source).join('');
const isCloser = (token: Token, name: string): boolean =>
  token.kind === 'tag' && token.tag.closing && token.tag.name === name;

/** Collects chunks: perhaps an opening block tag, inline content, perhaps a closing block tag. */
class Page {
  private readonly out: string[] = [];
  private open: BlockTag | undefined;
  private content: Piece[] = [];

  text(source: string): void {
    const [first, ...rest] = splitAtBlankLines(source);
    this.content.push({ source: first ?? '', text: true });
    for (const part of rest) {
      this.flush();
      this.content.push({ source: part, text: true });
    }
  }

  inline(source: string): void {
    this.content.push({ source, text: false });
  }

  tag(block: BlockTag): void {
    const { name, closing } = block.tag;
    if (name === 'br' && !closing) this.lineBreak();
    else if (!BLOCK_ELEMENTS.has(name)) this.inline(block.source);
    else if (closing) this.flush(block);
    else {
      this.flush();
      this.open = block;
      if (VOID_ELEMENTS.has(name)) this.flush();
    }
  }

  opaque(name: string, source: string): void {
    if (!BLOCK_ELEMENTS.has(name)) this.inline(source);
    else {
      this.flush();
      this.out.push(`${source}\n`);
    }
  }

  end(): string {
    this.flush();
    return this.out.join('');
  }

  /** Two line breaks in a row separate paragraphs. */
  private lineBreak(): void {
    while (isBlank(this.content.at(-1)) && isBreak(this.content.at(-2))) this.content.pop();
    if (!isBreak(this.content.at(-1))) this.inline('<br />');
    else {
      this.content.pop();
      this.flush();
    }
  }

  private flush(close?: BlockTag): void {
    const { open, content } = this;
    this.open = undefined;
    this.content = [];
    const { lead, body, trail } = lines(content);
    const first = open?.tag.name;
    const last = close?.tag.name;
    if (body === '') {
      const bare = [open, close].filter(
        (tag) => tag !== undefined && !/^<\/?p\s*>$/i.test(tag.source),
      );
      if (bare.length > 0)
        this.out.push(
          `${bare.map((tag) => tag?.source).join('')}${first === 'p' && !close ? '</p>' : ''}\n`,
        );
      return;
    }
    const isBlock = first !== undefined && first !== 'blockquote' && first !== 'p';
    const starts = first !== 'p' && !isBlock;
    // As the original has it, text that begins beside the tag of its block ends a paragraph that has no start.
    const opens = isBlock && !close && FLOW.has(first);
    const ends = last !== 'p' && (starts || opens || first === 'p');
    const before = open ? lead : lead.slice(lead.lastIndexOf('\n') + 1);
    const after = close && !ends && !(last === 'p' && trail.includes('\n')) ? trail : '';
    this.out.push(
      `${open?.source ?? ''}${starts ? '<p>' : ''}${before}${body}${after}${ends ? '</p>' : ''}${close?.source ?? ''}\n`,
    );
  }
}

/** Splits a text at blank lines. The first and the last row may continue beside a tag. */
function splitAtBlankLines(text: string): string[] {
  const rows = text.split('\n');
  const parts: string[][] = [[]];
  rows.forEach((row, index) => {
    const inside = index > 0 && index < rows.length - 1;
    if (!inside || edges(row).body !== '') parts.at(-1)?.push(row);
    else if (parts.at(-1)?.length !== 0) parts.push([]);
  });
  return parts.map((part) => part.join('\n'));
}

const isBlank = (piece: Piece | undefined): boolean =>
  piece?.text === true && edges(piece.source).body === '';
const isBreak = (piece: Piece | undefined): boolean =>
  piece?.text === false && piece.source === '<br />';

/** Returns inline content with its line breaks as `<br />`, and the white space around it. */
function lines(pieces: Piece[]): { lead: string; body: string; trail: string } {
  let from = 0;
  let to = pieces.length;
  while (from < to && isBlank(pieces[from])) from++;
  while (to > from && isBlank(pieces[to - 1])) to--;
  const first = pieces[from];
  const last = pieces[to - 1];
  const before = joined(pieces.slice(0, from));
  const after = joined(pieces.slice(to));
  if (!first || !last) return { lead: before, body: '', trail: '' };
  const lead = before + (first.text ? edges(first.source).lead : '');
  const trail = (last.text ? edges(last.source).trail : '') + after;
  const body = pieces.slice(from, to).map((piece, index) => {
    if (!piece.text) return piece.source;
    const start = index === 0 ? edges(piece.source).lead.length : 0;
    const stop = index === to - from - 1 ? edges(piece.source).trail.length : 0;
    return breakLines(
      piece.source.slice(start, piece.source.length - stop),
      isBreak(pieces[from + index - 1]),
    );
  });
  return { lead: bareRows(lead), body: body.join(''), trail: bareRows(trail) };
}

/** Adds `<br />` before each line break, except one that already follows a `<br />`. */
function breakLines(text: string, afterBreak: boolean): string {
  const rows = text.split('\n');
  return rows
    .map((row, index) => {
      if (index === rows.length - 1) return row;
      return afterBreak && index === 0 && edges(row).body === ''
        ? '\n'
        : `${row.slice(0, row.length - edges(row).trail.length)}<br />\n`;
    })
    .join('');
}

/** Returns white space without the spaces before its line breaks. */
const bareRows = (space: string): string => {
  const rows = space.split('\n');
  return `${'\n'.repeat(rows.length - 1)}${rows.at(-1)}`;
};
