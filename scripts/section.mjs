// The generated parts of docs/: what stands between `<!-- NAME: npm run NAME -->` and
// `<!-- end of NAME -->`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './prepare.mjs';

/** Writes a generated part of a page. With --check, exits with code 1 when it is out of date. */
export function writeSection(page, name, made) {
  const file = join(root, page);
  const [begin, end] = [`<!-- ${name}: npm run ${name} -->\n`, `<!-- end of ${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) fail(`${page} has no place for the ${name}.`);
  const whole = `${before}${begin}\n${made}\n\n${end}${after}`;
  if (!process.argv.includes('--check')) writeFileSync(file, whole);
  else if (whole !== text) fail(`${page} is out of date: run \`npm run ${name}\` and commit it.`);
}

/** Returns a table of Markdown. */
export function tableOf(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
