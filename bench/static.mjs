// What a cached response is measured against: node:http that sends the same bytes and headers each
// time.
import { createServer } from 'node:http';

const { PORT, HOST = '127.0.0.1', ORIGIN, PATHNAME } = process.env;
const answer = await fetch(ORIGIN + PATHNAME, { headers: { 'accept-encoding': 'identity' } });
const body = Buffer.from(await answer.arrayBuffer());
const LEFT_OUT = ['date', 'connection', 'keep-alive', 'transfer-encoding'];
const headers = Object.fromEntries(
  [...answer.headers].filter(([name]) => !LEFT_OUT.includes(name)),
);
headers['content-length'] = body.length;
createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(
  Number(PORT),
  HOST,
  () => process.send('ready'),
);
