// Sends requests: a process of its own, so that its CPU is not counted. The runner asks it over IPC
// to `open` connections, to `run` a number of requests over them, and to `close` them.
import { Agent, request as open } from 'node:http';

const PATIENCE = 30_000;
let agent;
let origin;
let connections;

let written = 0;

/**
 * Asks once and reads all of it. What is asked is a path, or an object with a body, in which each
 * {n} becomes a new number.
 */
function ask(asked) {
  const {
    path,
    method = 'GET',
    headers = {},
    body = '',
    status = 200,
  } = typeof asked === 'string' ? { path: asked } : asked;
  const sent = body.replaceAll('{n}', () => ++written);
  const sending = sent
    ? { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
    : headers;
  return new Promise((resolve, reject) => {
    const request = open(
      origin + path,
      { agent, method, headers: sending, timeout: PATIENCE },
      (response) => {
        let bytes = 0;
        response.on('data', (chunk) => (bytes += chunk.length));
        response.on('error', reject);
        response.on('end', () => {
          const whole =
            response.statusCode === status && bytes === Number(response.headers['content-length']);
          if (whole) resolve(bytes);
          else
            reject(new Error(`${path} was answered ${response.statusCode} with ${bytes} bytes.`));
        });
      },
    );
    request.on('timeout', () =>
      request.destroy(new Error(`${path} was not answered in ${PATIENCE} ms.`)),
    );
    request.on('error', reject);
    request.end(sent);
  });
}

/**
 * `requests` requests, as many at a time as there are connections, each as soon as the one before
 * is answered.
 */
async function run({ paths, requests, seconds }) {
  const started = performance.now();
  const deadline = started + seconds * 1000;
  let sent = 0;
  let bytes = 0;
  const connection = async () => {
    while (sent < requests && performance.now() < deadline) {
      const read = await ask(paths[sent++ % paths.length]);
      bytes += read;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { requests: sent, bytes, seconds: (performance.now() - started) / 1000 };
}

const COMMANDS = {
  async open(asked) {
    ({ origin, connections } = asked);
    agent = new Agent({ keepAlive: true, maxSockets: connections });
    await run({ paths: asked.paths, requests: connections * 3, seconds: PATIENCE });
    return {};
  },
  run,
  async close() {
    agent.destroy();
    return {};
  },
};

process.on('message', ({ command, ...asked }) => {
  COMMANDS[command](asked).then(
    (result) => process.send(result),
    (error) => process.send({ failure: error.message }),
  );
});
process.once('disconnect', () => process.exit());
