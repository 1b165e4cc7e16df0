// node bench/speed.mjs [--rounds 5] [--before ../other-checkout]: the whole table of what the service
// costs beside its peers, one benchmark after the other. About an hour. See README.md and
// docs/costs.md.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    before: { type: 'string' },
    only: { type: 'string' },
  },
});
const { rounds } = options;
const before = options.before ? ['--before', options.before] : [];
const folders = options.before ? ['.', options.before] : [];

/** The parts of the table: their program and its arguments. */
const PARTS = {
  'list and one over REST, beside a bare server': [
    'run.mjs',
    '--scenario',
    'list,one',
    '--posts',
    '10000',
    '--rounds',
    rounds,
  ],
  'list and one over GraphQL, beside PostGraphile 4': [
    'graphql.mjs',
    '--rounds',
    rounds,
    ...before,
  ],
  'creates, batches, updates and deletions of posts': ['writes.mjs', '--rounds', rounds, ...before],
  'medicine list and calendar of a month': ['calendar.mjs', ...before],
  'a kept list, beside a static server': ['cached.mjs', '--rounds', rounds],
  'start, memory and idle work': ['resting.mjs', rounds, ...folders],
};

const here = dirname(fileURLToPath(import.meta.url));
let failed = 0;
for (const [title, [program, ...args]] of Object.entries(PARTS)) {
  if (options.only && !program.startsWith(options.only)) continue;
  console.log(`\n## ${title}\n\nload average ${loadavg()[0].toFixed(1)}\n`);
  const { status } = spawnSync(process.execPath, [join(here, program), ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
