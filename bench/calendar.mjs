// node bench/calendar.mjs [--before ../other-checkout] [--rounds 7] [--only list]: CPU of the service and of
// PostgreSQL for the list of a member's 50 medicine reminders, and for the calendars of 31 days that
// they make. 1.5 + 0.5 ms and 6 + 1.5 ms are the aims. See README.md.
import { parseArgs } from 'node:util';
import { inTurns, PASSWORD, send, withBuilds } from './builds.mjs';

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
  },
});
const REMINDERS = 50;
const DAY = 24 * 60 * 60 * 1000;

const FREQUENCIES = [
  'daily',
  'daily',
  '2_times_a_day',
  'every_8_hours',
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
];

const dateIn = (days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const READS = [
  ['list of medicines', '/api/v1/medicine_reminder', 300],
  [
    'events of 31 days to come',
    `/v3/api/v1/all_events?date_from=${dateIn(1)}&date_to=${dateIn(31)}`,
    60,
  ],
  [
    'events of 31 days that passed',
    '/v3/api/v1/all_events?date_from=2026-03-01&date_to=2026-03-31',
    60,
  ],
  ['events, as the app opens', '/api/v1/events', 60],
];

/** Makes the reminders of a member; answers the headers by which the member reads them. */
async function remindersMade(server) {
  const body = { username: 'admin', password: PASSWORD };
  const { token } = JSON.parse(await send(server, '/api/v1/login', { method: 'POST', body }));
  const headers = { authorization: `Bearer ${token}`, 'time-zone': 'Europe/Berlin' };
  for (let i = 0; i < REMINDERS; i++)
    await send(server, '/api/v1/medicine_reminder', {
      method: 'POST',
      headers,
      body: {
        name: `Medicine ${i}`,
        frequency_type: FREQUENCIES[i % FREQUENCIES.length],
        start_date: '2024-01-01',
      },
    });
  return headers;
}

await withBuilds('calendar', options.before, async (servers, watcher) => {
  const headers = await remindersMade(servers[0]);
  await watcher.query('VACUUM ANALYZE');
  for (const [name, path, count] of READS.filter(([name]) => name.includes(options.only))) {
    const read = (server) => send(server, path, { headers });
    const [first, ...others] = await Promise.all(servers.map(read));
    if (others.some((other) => other !== first)) throw new Error(`The builds differ: ${name}.`);
    console.log(`${name}: ${JSON.parse(first).length}, ${first.length} bytes`);
    const rounds = Number(options.rounds);
    await inTurns(name, servers, watcher, read, { warmUps: 5, rounds, count });
  }
});
