// What clients ask a service on a database of scale-database.mjs.
import { FILTERS } from './scale-filters.mjs';

const DAY = 86_400_000;
const dayIn = (days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const graphql = (query, headers, variables) => ({
  path: '/graphql',
  method: 'POST',
  headers,
  body: { query, variables },
});
const LIST =
  'query($after: String) { posts(first: 10, after: $after) { totalCount pageInfo { hasNextPage } nodes { databaseId title slug } } }';
const CALENDAR =
  'query($from: LocalDate!, $to: LocalDate!) { calendar(from: $from, to: $to) { events { occurrenceId startsAt ... on DoseEvent { answeredAt } } } }';
const NOTIFICATIONS = '{ notifications(first: 20) { totalCount nodes { title readAt } } }';
const TAKE =
  'mutation($id: ID!) { takeDose(input: { occurrenceId: $id }) { event { occurrenceId } } }';

/** Returns the kinds of traffic: a name, and a function that makes the next request. */
export async function trafficOf({ client, callers: { members, editor }, send, origin }) {
  const { rows } = await client.query(
    `SELECT (SELECT count(*)::int FROM content_item WHERE kind = 'post' AND status = 'publish') AS posts,
       (SELECT max(id) FROM content_item) AS last`,
  );
  const [{ posts, last }] = rows;
  const doses = await openDoses(members, (asked) => send(origin, asked));
  let n = 0;
  const member = () => members[n++ % members.length];
  const anyId = () => 1 + ((n++ * 7919) % Math.floor(last / 1000)) * 1000;
  const filters = Object.entries(FILTERS).map(([name, query]) => [
    `posts: ${name}`,
    () => ({ path: `/api/v1/posts?${typeof query === 'function' ? query(posts) : query}` }),
  ]);
  return [
    ...filters,
    ['one post', () => ({ path: `/api/v1/posts/${anyId()}` })],
    ['posts by GraphQL', () => graphql(LIST, {})],
    ['calendar of a month', () => graphql(CALENDAR, member(), { from: dayIn(-20), to: dayIn(10) })],
    ['medicines', () => ({ path: '/api/v1/medicine_reminder', headers: member() })],
    ['notifications', () => graphql(NOTIFICATIONS, member())],
    ['dose taken', () => takenOf(doses[n++ % doses.length])],
    ['post written', () => written(editor, n++)],
    ['reminder made', () => made(member(), n++)],
  ];
}

/** What members have not answered of ten days ago. */
async function openDoses(members, ask) {
  const found = [];
  for (const headers of members) {
    const variables = { from: dayIn(-12), to: dayIn(-5) };
    const { data } = JSON.parse((await ask(graphql(CALENDAR, headers, variables))).text);
    const open = data.calendar.events.filter(({ answeredAt }) => !answeredAt);
    found.push(...open.map(({ occurrenceId }) => ({ headers, id: occurrenceId })));
  }
  return found;
}

const takenOf = ({ headers, id }) => graphql(TAKE, headers, { id });

const written = (headers, n) => ({
  path: '/api/v1/posts',
  method: 'POST',
  headers,
  body: {
    title: `Written while measured ${n}`,
    content: `<p>Take it with water, says number ${n}.</p>`,
    status: 'publish',
    categories: [2, 3],
    tags: [201],
  },
});

const made = (headers, n) => ({
  path: '/api/v1/medicine_reminder',
  method: 'POST',
  headers,
  body: { name: `Measured ${n}`, frequency_type: 'daily', start_date: dayIn(1) },
});
