// node bench/care-writes.mjs [--before ../other-checkout] [--rounds 7] [--only dose]: CPU of the
// service and of PostgreSQL for making a medicine reminder, taking a dose and signing in. Signing in
// includes argon2. See README.md.
import { parseArgs } from 'node:util';
import { inTurns, PASSWORD, send, withBuilds } from './builds.mjs';

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
  },
});
/** Requests of a round. A member may have 500 reminders that are still to come. */
const COUNT = 100;
const HOUR = 60 * 60 * 1000;

const post = (server, path, headers, body) => send(server, path, { method: 'POST', headers, body });

const signIn = (server) =>
  post(server, '/api/v1/login', {}, { username: 'admin', password: PASSWORD });

/** Asks the graph. Throws for an answer with errors. */
async function ask(server, headers, query, variables) {
  const { data, errors } = JSON.parse(
    await post(server, '/graphql', headers, { query, variables }),
  );
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

const makeReminder = (server, headers, name, frequency) =>
  post(server, '/api/v1/medicine_reminder', headers, {
    name,
    frequency_type: frequency,
    start_date: '2024-01-01',
  });

/** Makes medicines whose doses of the last hours can be taken; answers the ids of these. */
async function openDoses(server, headers) {
  for (let i = 0; i < COUNT / 5; i++)
    await makeReminder(server, headers, `Hourly ${i}`, 'every 1 hours');
  const [from, to] = [-6, 0].map((hours) =>
    new Date(Date.now() + hours * HOUR).toISOString().slice(0, 10),
  );
  const { calendar } = await ask(
    server,
    headers,
    'query ($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { occurrenceId startsAt } } }',
    { from, to },
  );
  const passed = calendar.events.filter(({ startsAt }) => Date.parse(startsAt) < Date.now());
  return passed.slice(-COUNT).map(({ occurrenceId }) => occurrenceId);
}

await withBuilds('care_writes', options.before, async (servers, watcher) => {
  const { token } = JSON.parse(await signIn(servers[0]));
  const headers = { authorization: `Bearer ${token}`, 'time-zone': 'Europe/Berlin' };
  const doses = await openDoses(servers[0], headers);
  const [{ last }] = (await watcher.query('SELECT max(id) AS last FROM reminder')).rows;
  let n = 0;
  const works = {
    'a medicine is made': {
      prepare: `DELETE FROM reminder WHERE id > ${last}`,
      work: (server) => makeReminder(server, headers, `Medicine ${n++}`, '2_times_a_day'),
    },
    'a dose is taken': {
      prepare: 'DELETE FROM dose',
      work: (server) =>
        ask(
          server,
          headers,
          'mutation ($id: ID!) { takeDose(input: { occurrenceId: $id }) { event { occurrenceId } } }',
          { id: doses[n++ % doses.length] },
        ),
    },
    'a sign-in': { prepare: 'SELECT 1', work: signIn },
  };
  for (const [name, { prepare, work }] of Object.entries(works))
    if (name.includes(options.only))
      await inTurns(name, servers, watcher, work, {
        rounds: Number(options.rounds),
        count: COUNT,
        prepare: () => watcher.query(prepare),
      });
});
