// Expo, FCM and a push service of browsers on loopback, in one process: each request is answered
// after 20 ms. Which device got which message when goes to the file RECORDS (see records.mjs). Expo
// refuses with 429 what its limits forbid, as the original does: more than 600 messages within a
// second, or more than six connections. Command: counts, of what came since it was asked last.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Records } from './records.mjs';

const LATENCY = 20;
const SECOND = 1000;
const EXPO = { rate: 600, connections: 6 };

// What arrives is counted when it arrives, however busy the workers keep the machine.
setPriority(-10);

const records = new Records(process.env.RECORDS);
const deviceOf = (text) => Number(/\d{22}/.exec(text)[0]);
const taken = (text, id) => records.add({ device: deviceOf(text), at: Date.now(), id });

/** Messages that Expo accepted within the last second, as pairs of instant and number. */
let recent = [];
let open = 0;
let counts = none();

function none() {
  return { expo: 0, fcm: 0, web: 0, refused: 0, fastest: 0, connections: 0, first: 0, last: 0 };
}

function expo(messages) {
  const now = performance.now();
  recent = recent.filter(([at]) => at > now - SECOND);
  const within = recent.reduce((sum, [, count]) => sum + count, messages.length);
  counts.connections = Math.max(counts.connections, open);
  if (within > EXPO.rate || open > EXPO.connections) {
    counts.refused += messages.length;
    return [429, { errors: [{ code: 'TOO_MANY_REQUESTS' }] }];
  }
  recent.push([now, messages.length]);
  counts.fastest = Math.max(counts.fastest, within);
  counts.first ||= Date.now();
  counts.last = Date.now();
  counts.expo += messages.length;
  for (const { to, tag } of messages) taken(to, tag);
  return [200, { data: messages.map(({ tag }, i) => ({ status: 'ok', id: `${tag}-${i}` })) }];
}

const ROUTES = {
  '/--/api/v2/push/send': async (body) => {
    open++;
    await sleep(LATENCY);
    const answer = expo(JSON.parse(body));
    open--;
    return answer;
  },
  '/--/api/v2/push/getReceipts': async (body) => {
    await sleep(LATENCY);
    const { ids } = JSON.parse(body);
    return [200, { data: Object.fromEntries(ids.map((id) => [id, { status: 'ok' }])) }];
  },
  '/token': async () => [200, { access_token: 'a', expires_in: 3600 }],
  '/v1/projects/bench/messages:send': async (body) => {
    const { message } = JSON.parse(body);
    await sleep(LATENCY);
    counts.fcm++;
    taken(message.token, message.android.notification.tag);
    return [200, { name: 'projects/bench/messages/1' }];
  },
};

async function browser({ url, headers }) {
  await sleep(LATENCY);
  counts.web++;
  taken(url, headers.topic);
  return [201, {}];
}

const http = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const [status, answer] = await (ROUTES[request.url]?.(body) ?? browser(request));
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
}).listen(0, '127.0.0.1');
await once(http, 'listening');

process.on('message', () => {
  process.send(counts);
  counts = none();
});
process.once('SIGTERM', () => {
  records.close();
  process.exit(0);
});
process.send({ origin: `http://127.0.0.1:${http.address().port}` });
