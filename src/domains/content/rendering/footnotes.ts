import { escapeHtml } from '../../../platform/http/html-escape.js';

/** Returns the notes of a content, which are stored as JSON; undefined for what is no list or map. */
export function footnotesOf(json: string): unknown[] | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === 'object' && read !== null ? Object.values(read) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the list of notes that stands in place of the block of footnotes; empty without any. */
export function footnoteList(json: string): string {
  const notes = json === '' ? [] : (footnotesOf(json) ?? []);
  const items = notes.map((note, i) => {
    const { id, content } = (note ?? {}) as { id?: unknown; content?: unknown };
    const key = escapeHtml(String(id ?? ''));
    return (
      `<li id="${key}">${String(content ?? '')} ` +
      `<a href="#${key}-link" aria-label="Jump to footnote reference ${i + 1}">\u21a9\ufe0e</a></li>`
    );
  });
  return items.length > 0 ? `<ol class="wp-block-footnotes">${items.join('')}</ol>` : '';
}
