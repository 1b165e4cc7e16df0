/** What a statement changes: the first that is named so, also after WITH. Prisma names the schema. */
const CHANGE = /\b(INSERT INTO|UPDATE|DELETE FROM) (?:"public"\.)?"?([a-z_]+)/;
/** What it reads from, but for the FROM of `extract`. */
const READ = /(?<!\bepoch )\bFROM (?:"public"\.)?"?([a-z_]+)/;
const FIRST_WORD = /^\s*([A-Z]+)/i;

/**
 * Returns what a statement does with which table, such as `SELECT content_item`. Nothing else of its
 * text is told, since that may hold values.
 */
export function summaryOf(text: string): string {
  const [, change, changed] = CHANGE.exec(text) ?? [];
  if (change) return `${change.split(' ')[0]} ${changed}`;
  const [, word = ''] = FIRST_WORD.exec(text) ?? [];
  const [, read = ''] = READ.exec(text) ?? [];
  return `${word.toUpperCase() === 'WITH' ? 'SELECT' : word.toUpperCase()} ${read}`.trim();
}
