// The results as a table of Markdown, so that it can be pasted into the README.

const whole = (number) => (number === null ? '-' : Math.round(number).toLocaleString('en'));
const ratio = ({ median, least, most }) =>
  `${median.toFixed(2)} (${least.toFixed(2)} - ${most.toFixed(2)})`;

const COLUMNS = [
  ['scenario', ({ scenario }) => scenario],
  ['posts', ({ posts }) => whole(posts)],
  ['conn.', ({ connections }) => String(connections)],
  ['service µs', ({ service }) => whole(service.cpu)],
  ['bare µs', ({ bare }) => whole(bare.cpu)],
  ['CPU ratio (least - most)', ({ cpu }) => ratio(cpu)],
  ['service req/s', ({ service }) => whole(service.rate)],
  ['bare req/s', ({ bare }) => whole(bare.rate)],
  ['req/s ratio (least - most)', ({ rate }) => ratio(rate)],
  ['database µs, service', ({ service }) => whole(service.database)],
  ['database µs, bare', ({ bare }) => whole(bare.database)],
  ['CPU against 100 posts: service, bare', growth],
];

/** CPU of each in relation to the same scenario at 100 posts. */
function growth({ scenario, posts, connections, service, bare }, { rows }) {
  const least = rows.find(
    (row) => row.scenario === scenario && row.connections === connections && row.posts === 100,
  );
  if (!least || posts === 100) return '';
  return `${(service.cpu / least.service.cpu).toFixed(2)}, ${(bare.cpu / least.bare.cpu).toFixed(2)}`;
}

export function printTable(results) {
  const head = COLUMNS.map(([name]) => name);
  const lines = results.rows.map((row) => COLUMNS.map(([, cell]) => cell(row, results)));
  const widths = head.map((name, i) =>
    Math.max(name.length, ...lines.map((line) => line[i].length)),
  );
  const print = (cells) => `| ${cells.map((cell, i) => cell.padStart(widths[i])).join(' | ')} |`;
  return `${[print(head), print(widths.map((width) => '-'.repeat(width))), ...lines.map(print)].join('\n')}\n`;
}
