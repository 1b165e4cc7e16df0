// What comes in beside documents and lists, for hostile.mjs: pages, headers, credentials, packed bodies,
// directions of FHIR, changes that plan everything anew, tables that are imported, files, sockets.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import WebSocket from 'ws';

const KIB = 1024;
const MIB = 1024 * KIB;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const list = (count, item) => Array.from({ length: count }, (_, i) => item(i));
const get = (path, headers = {}) => ({ path, headers });
const rest = (path, body, headers = {}) => ({
  path,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});
const graphql = (query, variables, more = {}) => ({
  path: '/graphql',
  headers: JSON_TYPE,
  body: JSON.stringify({ query, variables, ...more }),
});
const mutation = (name, shown, input) => {
  const type = `${name[0].toUpperCase()}${name.slice(1)}Input`;
  return graphql(`mutation($i: ${type}!) { ${name}(input: $i) { ${shown} } }`, { i: input });
};
const packed = (pack, encoding, text) => ({
  path: '/graphql',
  headers: { ...JSON_TYPE, 'content-encoding': encoding },
  body: pack(text),
});

/** Sends messages over a connection of its own. Answers when the last one was answered. */
const socket = (messages) => ({
  run: (origin, { token, localAddress }) =>
    new Promise((answer, fail) => {
      const headers = token ? { authorization: `Bearer ${token}` } : {};
      const client = new WebSocket(
        `${origin.replace('http', 'ws')}/graphql`,
        ['graphql-transport-ws'],
        { headers, localAddress },
      );
      const [first, ...others] = messages;
      client.on('open', () => client.send(first));
      client.on('message', (data) => {
        if (String(data).includes('connection_ack')) {
          for (const message of others) client.send(message);
          client.send('{"type":"ping","payload":{"last":true}}');
        } else if (String(data).includes('"last":true')) client.close();
      });
      client.on('close', (status) => answer({ status, text: '' })).on('error', fail);
    }),
});
const INIT = '{"type":"connection_init"}';
const subscribe = (id, query, variables) =>
  JSON.stringify({ type: 'subscribe', id, payload: { query, variables } });
const FEEDS = 'subscription($s: [FeedSubjectInput!]!) { changes(subjects: $s) { __typename } }';
const subjects = (count, i) => list(count, (n) => ({ feed: 'CALENDAR', memberId: `${n + i}` }));

/** A line of a table of services with as much in each column as is read. */
const service = (i) => (n) =>
  `${i}-${n},Service ${n},Clinics > Dentists|Pharmacies,50.${n},8.1,Europe/Berlin,` +
  `"Mo-Fr 08:00-12:00,13:00-18:00; Sa 09:00-13:00",en|de,+49 30 123${n}`;
const COLUMNS = 'external_id,name,types,latitude,longitude,time_zone,opening_hours,languages,phone';

const dosage = (n) => ({
  sequence: n,
  timing: {
    repeat: {
      timeOfDay: list(24, (h) => `${String(h).padStart(2, '0')}:00:00`),
      boundsDuration: { value: 2, unit: 'd' },
    },
  },
  doseAndRate: [{ doseQuantity: { value: n + 1, unit: 'tablet' } }],
});

const AMBIGUOUS = [
  ...['1-2 tabs bd or tds prn ', 'od/bd ', 'am pm noc ', 'q4-6h ', '1/2 1/4 ', 'a.c. p.c. hs '],
  ...['every other day or twice ', 'Mon,Wed-Fri ', '2 puffs x2 ', '1x3 ', 'до еды ', 'et ', '½ '],
];
const ZONES = ['Europe/Berlin', 'Asia/Tokyo'];

/** The requests by name: who sends it, and what. `i` counts the requests of the run. */
export const PLACES = [
  ['page of the site', 'anonymous', (i) => get(`/?x=${i}`)],
  ['page of an item', 'anonymous', (i) => get(`/post-1/?x=${i}`)],
  ['page of a category', 'anonymous', (i) => get(`/category/category1/?x=${i}`)],
  ['page of an author', 'anonymous', (i) => get(`/author/author-1/?x=${i}`)],
  [
    'page to sign in, a long cookie',
    'anonymous',
    (i) => get(`/admin/login?x=${i}`, { cookie: list(1_500, (n) => `a${n}=${i}`).join('; ') }),
  ],
  [
    'page to sign in, a long target',
    'anonymous',
    (i) => get(`/admin/login?redirect_to=${i}${'%2Fadmin%2F..'.repeat(1_100)}`),
  ],
  [
    'page to set a password',
    'anonymous',
    (i) => get(`/admin/set-password?link=${i}${'A'.repeat(14_000)}`),
  ],
  [
    'page to let an application in',
    'anonymous',
    (i) =>
      get(
        `/admin/authorize-application.php?app_name=${i}${'a'.repeat(7_000)}&success_url=${'b'.repeat(7_000)}`,
      ),
  ],
  [
    'form of a page, 64 kB',
    'anonymous',
    (i) => ({
      path: '/admin/login',
      headers: FORM_TYPE,
      body: list(49, (n) => `a${n}=${i}${'%41'.repeat(400)}`).join('&'),
    }),
  ],
  ['page of the playground', 'anonymous', (i) => get(`/graphql?x=${i}`, { accept: 'text/html' })],
  ['document of OpenAPI', 'anonymous', (i) => get(`/api/openapi.json?x=${i}`)],
  ['readiness', 'anonymous', (i) => get(`/readyz?x=${i}`)],
  ['nothing below the site', 'anonymous', (i) => get(`/${'a/'.repeat(7_000)}${i}`)],
  [
    'description of a route',
    'anonymous',
    (i) => ({ path: `/api/v1/posts?x=${i}`, method: 'OPTIONS' }),
  ],
  [
    'embed of a long address',
    'anonymous',
    (i) =>
      get(
        `/api/oembed/1.0/embed?url=${encodeURIComponent('http://localhost/')}${i}${'a'.repeat(15_000)}`,
      ),
  ],
  [
    'headers of 15 kB',
    'anonymous',
    (i) =>
      get(`/api/v1/posts/1?x=${i}`, {
        'accept-language': list(1_500, (n) => `a${n}`).join(),
        range: `bytes=${i}-1`,
      }),
  ],
  [
    'forwarded for 3,000',
    'anonymous',
    (i) =>
      get(`/api/v1/posts/1?x=${i}`, {
        'x-forwarded-for': list(2_000, (n) => `1.1.${n % 9}`).join(),
      }),
  ],
  [
    'zone of 500 letters',
    'anonymous',
    (i) => get(`/api/v1/posts/1?x=${i}`, { 'time-zone': `${i}${'[id="'.repeat(99)}` }),
  ],
  [
    'zone that was never asked',
    'anonymous',
    (i) =>
      get(`/api/v1/posts/1?x=${i}`, {
        'time-zone': ['eUrope/berlin', 'ASIA/tokyo', 'america/NEW_york'][i % 3],
      }),
  ],
  [
    'date of 15,000 digits',
    'anonymous',
    (i) => get(`/api/v1/posts?after=${'1'.repeat(15_000)}&x=${i}`),
  ],
  [
    'hash of another text',
    'anonymous',
    (i) =>
      graphql(
        `# ${i} ${'x'.repeat(2 * MIB - 400)}`,
        {},
        { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
      ),
  ],
  [
    'body that unpacks beyond its bound',
    'anonymous',
    () => packed(gzipSync, 'gzip', Buffer.alloc(40 * MIB, '"a\n')),
  ],
  [
    'the same by Brotli',
    'anonymous',
    () => packed(brotliCompressSync, 'br', Buffer.alloc(40 * MIB, '"a\n')),
  ],
  [
    'body of 2 MiB as gzip that breaks off',
    'anonymous',
    () =>
      packed(
        (text) => gzipSync(text).subarray(0, -8),
        'gzip',
        list(150_000, (n) => `${n * 7919},`).join(''),
      ),
  ],
  [
    '1,000 directives',
    'anonymous',
    (i) =>
      graphql(
        `query Q${i} { site { ${list(48, () => `title ${'@include(if: true) '.repeat(5)}`).join(' ')} } }`,
      ),
  ],
  [
    '100 fragments in each other',
    'anonymous',
    (i) =>
      graphql(
        `query Q${i} { ...F0 } ${list(12, (n) => `fragment F${n} on Query { ${n < 11 ? `...F${n + 1} ` : ''}${list(9, (m) => `a${n}x${m}: site { title }`).join(' ')} }`).join(' ')}`,
      ),
  ],
  [
    'literals in each other',
    'anonymous',
    (i) =>
      graphql(
        `query Q${i}($v: [ID!] = ${'['.repeat(900)}${']'.repeat(900)}) { nodes(ids: $v) { id } }`,
      ),
  ],
  [
    'search of signs',
    'anonymous',
    (i) =>
      get(
        `/api/v1/posts?search=${encodeURIComponent(list(10, (n) => `${'%_*\\'.repeat(12)}${n}`).join(' '))}&x=${i}`,
      ),
  ],
  [
    'ten searches',
    'anonymous',
    (i) =>
      graphql(
        `{ ${list(10, (n) => `s${n}: search(query: "water glass ${n}${i}", first: 20) { totalCount }`).join(' ')} }`,
      ),
  ],
  [
    'password of 4 KiB',
    'anonymous',
    (i) => mutation('login', 'token', { username: `nobody${i}`, password: 'ﷺ'.repeat(1_300) }),
  ],
  [
    'e-mail address of 64 KiB',
    'anonymous',
    (i) =>
      mutation('requestPasswordReset', '__typename', {
        email: `${i}${'a.'.repeat(32_000)}@example.com`,
      }),
  ],
  [
    'e-mail address of signs',
    'anonymous',
    (i) =>
      mutation('requestPasswordReset', '__typename', {
        email: `${'"@'.repeat(100)}${i}@${'-.'.repeat(100)}`,
      }),
  ],
  [
    'code that is wrong',
    'anonymous',
    (i) =>
      rest('/api/pwreset/v1/validate-code', { email: `nobody${i}@example.com`, code: '12345678' }),
  ],
  [
    'form of somebody',
    'anonymous',
    (i) =>
      rest('/v3/api/v1/ncsm', {
        name: 'x',
        email: `a${i}@example.com`,
        phone: '0'.repeat(190),
        platform: 'ios',
        form: 1,
        score: i,
      }),
  ],
  ['guest', 'anonymous', () => rest('/v3/api/v1/guest', { language: 1 })],
  [
    'refresh token that is none',
    'anonymous',
    (i) => get(`/api/v1/refreshToken?refreshToken=${i}${'a'.repeat(14_000)}`),
  ],
  [
    'token of a provider',
    'anonymous',
    (i) =>
      get(
        `/api/v1/idp_a_login?language=1&token=${'e30'.repeat(2_000)}.${'e30'.repeat(2_000)}.${i}`,
      ),
  ],
  [
    'Basic credentials',
    'anonymous',
    (i) =>
      get(`/api/v1/posts?x=${i}`, {
        authorization: `Basic ${Buffer.from(`nobody${i}:${'a'.repeat(9_000)}`).toString('base64')}`,
      }),
  ],
  [
    'batch of 25 that name nothing',
    'anonymous',
    (i) =>
      rest('/api/batch/v1', {
        requests: list(25, (n) => ({ method: 'DELETE', path: `/v1/posts/${1e6 + n + i}` })),
      }),
  ],
  [
    'batch of 25 with 600 categories',
    'editor',
    (i) =>
      rest('/api/batch/v1', {
        requests: list(25, (n) => ({
          path: '/v1/posts',
          body: { title: `${i}${n}`, categories: list(600, (m) => m + 1) },
        })),
      }),
  ],
  [
    'multipart of long headers',
    'anonymous',
    () => ({
      path: '/api/v1/posts',
      headers: { 'content-type': `multipart/form-data; boundary=${'x'.repeat(60)}` },
      body: `${`--${'x'.repeat(60)}\r\nContent-Disposition: form-data; name="a"; ${'b="c"; '.repeat(140)}\r\n\r\n1\r\n`.repeat(1_800)}--${'x'.repeat(60)}--\r\n`,
    }),
  ],
  ...AMBIGUOUS.map((words) => [
    `200 words in doubt: ${words.trim()}`,
    'member',
    (i) =>
      rest('/api/v1/medicine_reminder', {
        name: `x${i}`,
        start_date: '2026-03-01',
        frequency_type: `${words.repeat(200).slice(0, 985)} ${i}`,
      }),
  ]),
  [
    'direction that is described: 10 of 1,000',
    'member',
    (i) =>
      graphql(
        `query Q${i} { medicineReminders(first: 10) { nodes { scheduleText frequencyDoubt { __typename } fhirDosages(version: R5) directionParts { __typename } } } }`,
      ),
  ],
  [
    '50 Dosages of FHIR',
    'member',
    (i) =>
      mutation('createMedicineReminder', 'reminder { fhirDosages(version: R5) }', {
        name: `x${i}`,
        fhirDosage: { version: 'R4', dosages: list(25, dosage) },
      }),
  ],
  [
    'Dosage in 12 levels',
    'member',
    (i) =>
      mutation('createMedicineReminder', 'reminder { id }', {
        name: `x${i}`,
        fhirDosage: {
          version: 'R4',
          dosages: list(50, () => ({ extension: list(40, () => ({ a: [[[[[[[[1]]]]]]]] })) })),
        },
      }),
  ],
  [
    'zone of a member with 480 medicines',
    'patient',
    (i) => mutation('updateCareSettings', 'careSettings { timeZone }', { timeZone: ZONES[i % 2] }),
  ],
  [
    'usual times of a member with 480 medicines',
    'patient',
    (i) =>
      mutation('updateCareSettings', 'careSettings { timeZone }', {
        usualTimes: list(24, (n) => ({
          times: list(n + 1, (h) => `${String(h).padStart(2, '0')}:0${i % 2}`),
        })),
      }),
  ],
  [
    'times of the day of a member with 480 medicines',
    'patient',
    (i) =>
      mutation('updateCareSettings', 'careSettings { timeZone }', {
        dayTimes: { breakfast: `08:0${i % 2}`, bedtime: `22:0${i % 2}` },
      }),
  ],
  [
    '100 medicines with how long they last',
    'patient',
    (i) =>
      graphql(
        `query Q${i} { medicineReminders(first: 100) { nodes { stock { runsOutOn outlook } supplyEnd { __typename } } } }`,
      ),
  ],
  [
    '100 medicines as FHIR',
    'patient',
    (i) =>
      graphql(
        `query Q${i} { medicineReminders(first: 100) { nodes { a: fhirDosages(version: R5) b: fhirDosages(version: R4) limits { __typename } } } }`,
      ),
  ],
  [
    'hourly medicines with how long they last',
    'hourly',
    (i) => graphql(`query Q${i} { medicineReminders { nodes { stock { runsOutOn outlook } } } }`),
  ],
  [
    'adherence of a year, hourly',
    'hourly',
    (i) =>
      graphql(`query Q${i} { adherence(from: "2025-12-01", to: "2026-11-26") { __typename } }`),
  ],
  ['export of all data', 'patient', () => graphql('mutation { exportMyData { __typename } }')],
  [
    'change of the password',
    'member',
    (i) =>
      mutation('changePassword', '__typename', {
        currentPassword: `wrong${i}`,
        newPassword: 'a'.repeat(256),
      }),
  ],
  [
    'message to 1,000',
    'admin',
    (i) =>
      mutation('sendNotification', '__typename', {
        title: `${i}`,
        body: 'x'.repeat(60_000),
        recipientIds: list(1_000, (n) => `${n + 1}`),
      }),
  ],
  [
    'table of 5,000 services',
    'editor',
    (i) =>
      mutation('importHealthcareServices', '__typename', {
        dryRun: true,
        csv: `${COLUMNS}\n${list(5_000, service(i)).join('\n')}`.slice(0, MIB),
      }),
  ],
  [
    'table of a million commas',
    'editor',
    (i) =>
      mutation('importHealthcareServices', '__typename', {
        dryRun: true,
        csv: `external_id,name\n${i}${','.repeat(MIB - 40)}`,
      }),
  ],
  [
    'table of empty lines',
    'editor',
    (i) =>
      mutation('importHealthcareServices', '__typename', {
        dryRun: true,
        csv: `external_id,name\n${i}${'\n'.repeat(MIB - 40)}`,
      }),
  ],
  [
    'table of quotes',
    'editor',
    (i) =>
      mutation('importHealthcareServices', '__typename', {
        dryRun: true,
        csv: `external_id,name\n${i},"${'""'.repeat(MIB / 2 - 40)}"`,
      }),
  ],
  [
    'opening hours of 60 KiB',
    'editor',
    (i) =>
      mutation('importHealthcareServices', '__typename', {
        dryRun: true,
        csv: `external_id,name,opening_hours\n${i},x,"${'Mo-Fr 08:00-12:00; '.repeat(3_300)}"`,
      }),
  ],
  [
    'services by ten words',
    'anonymous',
    (i) =>
      graphql(
        `query Q${i} { healthcareServices(first: 100, near: {latitude: 50, longitude: 8}, search: "water glass take breakfast it with a of after -x${i}") { nodes { name description } } }`,
      ),
  ],
  [
    'saved report of 2,000 words',
    'analyst',
    (i) =>
      mutation('createSavedReport', '__typename', {
        name: `r${i}`,
        query: `{ ${list(9, (n) => `a${n}: doseReport(range: LAST_12_MONTHS) { rows { ${'scheduled '.repeat(40)} } }`).join(' ')} }`,
      }),
  ],
  ['connection that is opened', 'anonymous', () => socket([INIT])],
  [
    'connection with 200 pings of 60 kB',
    'anonymous',
    () =>
      socket([
        INIT,
        ...list(200, () => `{"type":"ping","payload":{"a":[${'1,'.repeat(30_000)}1]}}`),
      ]),
  ],
  [
    'connection with 5,000 pings',
    'anonymous',
    () => socket([INIT, ...list(5_000, () => '{"type":"ping"}')]),
  ],
  [
    'connection that begins with 60 kB',
    'anonymous',
    () => socket([`{"type":"connection_init","payload":{"a":[${'1,'.repeat(30_000)}1]}}`]),
  ],
  [
    'connection that ends 5,000',
    'anonymous',
    () => socket([INIT, ...list(5_000, (n) => `{"type":"complete","id":"${n}"}`)]),
  ],
  [
    'connection with 50 subscriptions to 800 feeds',
    'anonymous',
    (i) =>
      socket([INIT, ...list(50, (n) => subscribe(`${n}`, FEEDS, { s: subjects(800, i + n) }))]),
  ],
  [
    'connection with 50 documents that are none',
    'anonymous',
    (i) =>
      socket([INIT, ...list(50, (n) => subscribe(`${n}`, `{ ${i}${n} ${'a '.repeat(1_900)} }`))]),
  ],
  [
    'connection with 60 long ids',
    'anonymous',
    (i) => socket([INIT, ...list(60, (n) => subscribe(`${i}${n}${'x'.repeat(60_000)}`, '{ a }'))]),
  ],
];
