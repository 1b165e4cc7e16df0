import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'graphql-sse';
import WebSocket from 'ws';
import { projectRoot } from '../../src/platform/root.js';
import { dial } from '../support/line.js';
import { whenOver } from '../support/running.js';
import { type Child, run, start } from './processes.js';
import { dataFolder, MAIN, type Service, startService, variables } from './service.js';

const ADMIN = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'correct horse battery' };
const HANDSHAKE =
  'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ' +
  'graphql-transport-ws\r\n\r\n';
const WATCH = 'subscription { changes(subjects: [{ feed: CALENDAR }]) { version } }';

/** A token of the administrator. */
async function signIn({ url }: Service): Promise<string> {
  const query = 'mutation($input: LoginInput!) { login(input: $input) { token } }';
  const variables = { input: { username: ADMIN.ADMIN_USERNAME, password: ADMIN.ADMIN_PASSWORD } };
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  });
  return `Bearer ${((await response.json()) as { data: { login: { token: string } } }).data.login.token}`;
}

/**
 * Resolves with the exit code; null when it had to be killed, because it did not end within the ten
 * seconds that it has.
 */
async function endOf(child: Child): Promise<number | null> {
  const late = sleep(10_000, undefined, { ref: false }).then(() => 'late' as const);
  const code = await Promise.race([child.ended, late]);
  if (code === 'late') await child.kill();
  return code === 'late' ? null : code;
}

/** Makes a command process 1 of a namespace, where that is allowed. */
const UNSHARE = ['unshare', '--pid', '--fork', '--kill-child'];
const isolated = spawnSync('unshare', [...UNSHARE.slice(1), 'true']).status === 0 ? UNSHARE : [];
const command = [...isolated, process.execPath, MAIN];

/**
 * Sends a signal to the service that a command runs; in a namespace of its own its number is
 * another outside.
 */
function signal(child: Child, name: NodeJS.Signals): void {
  if (isolated.length === 0) child.signal(name);
  else
    process.kill(
      Number(
        spawnSync('pgrep', ['-P', String(child.pid)])
          .stdout.toString()
          .trim(),
      ),
      name,
    );
}

describe('A signal', () => {
  it('drains also process 1: readiness first, then streams end, and connections end; exit 0 within ten seconds', async () => {
    const service = await startService({ command, environment: ADMIN });
    const { child, url, port } = service;
    const authorization = await signIn(service);
    const idle = dial(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await idle.until(/"ok"/);
    const silent = dial(port);
    const body = JSON.stringify({ query: '{ site { title } }' });
    const type = 'Content-Type: application/json';
    const head = `POST /graphql HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const underWay = dial(port, head + body.slice(0, 5));
    const unfinished = dial(port, head);
    const deaf = dial(port, HANDSHAKE); // never answers that its WebSocket is closed
    await deaf.until(/101/);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
    await once(socket, 'message');
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: WATCH } }));
    const closed = once(socket, 'close');
    const headers = { authorization, accept: 'text/event-stream' };
    const streamed = await fetch(`${url}/graphql?query=${encodeURIComponent(WATCH)}`, { headers });

    signal(child, 'SIGTERM');
    const ended = endOf(child);
    let ready = 200;
    while (ready === 200) ready = (await fetch(`${url}/readyz`)).status;
    expect(ready).toBe(503);
    const last = await fetch(`${url}/api/v1/posts`);
    expect(
      [last.status, last.headers.get('connection')],
      'who comes meanwhile is served, and told to go',
    ).toStrictEqual([200, 'close']);
    underWay.socket.write(body.slice(5));
    expect(await underWay.until(/"title"/)).toMatch(/200 OK[\s\S]*Connection: close/i);
    expect(await streamed.text(), 'whoever watches connects again').not.toMatch(/complete/);
    expect((await closed)[0]).toStrictEqual(1001);
    await Promise.all([idle.closed, silent.closed]);
    expect(await ended, child.output.errors).toBe(0);
    expect(child.output.text, 'what is cut comes before the end by force').toMatch(
      /"msg":"stopped"/,
    );
    for (const { socket } of [deaf, unfinished]) socket.destroy();
  });

  it('lets who watches by server-sent events go on with the next process', async () => {
    const own = { ...ADMIN, DATA_DIR: dataFolder() };
    const first = await startService({ command, environment: own });
    const authorization = await signIn(first);
    const client = createClient({
      url: `${first.url}/graphql`,
      headers: { authorization },
      retryAttempts: 100,
      retry: () => sleep(50),
    });
    const moved = async () => {
      const query =
        'mutation { createMedicineReminder(input: { name: "x", frequency: "once" }) { reminder { id } } }';
      const headers = { authorization, 'content-type': 'application/json' };
      const body = JSON.stringify({ query });
      await fetch(`${first.url}/graphql`, { method: 'POST', headers, body });
    };
    const events = client.iterate<{ changes: { version: number } }>({ query: WATCH });
    await moved();
    expect((await events.next()).value?.data?.changes.version).toBe(1);
    signal(first.child, 'SIGTERM');
    expect(await endOf(first.child), first.child.output.errors).toBe(0);
    await startService({ environment: { ...own, PORT: String(first.port) } });
    await moved();
    let version = 0;
    while (version < 2) {
      const { value, done } = await events.next();
      if (done) break;
      version = value.data?.changes.version ?? 0;
    }
    client.dispose();
    expect(version).toBe(2);
  });

  it('ends the process at once while it waits for its database', async () => {
    // A database that takes connections and says nothing.
    const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    whenOver(() => silent.close());
    const { port } = silent.address() as { port: number };
    const own = {
      DATABASE_URL: `postgres://x@127.0.0.1:${port}/x`,
      SECRET_KEY: 's'.repeat(40),
      DATA_DIR: dataFolder(),
    };
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      const child = run('the service', command, { env: variables(own) });
      await Promise.race([once(silent, 'connection'), child.ended]);
      signal(child, name);
      expect(await endOf(child), child.output.errors).toBe(0);
    }
  });

  it('ends the process within ten seconds although a job never ends', async () => {
    const child = start('stuck.js', {});
    await child.says('running');
    child.signal('SIGTERM');
    expect(await endOf(child), child.output.errors).toBe(0);
    expect(child.output.text).toMatch(/stopped without waiting any longer/);
  });

  it('is heard before anything else is loaded, which takes longer than some wait', async () => {
    const watch =
      'import { Module } from "node:module"; process.once("newListener", function hear(name) {' +
      'if (name === "SIGTERM") console.log("loaded " + Object.keys(Module._cache).length + ' +
      '"."); else process.once("newListener", hear) })';
    const preload = `data:text/javascript,${encodeURIComponent(watch)}`;
    const own = {
      DATABASE_URL: 'postgres://x@127.0.0.1:9/x',
      SECRET_KEY: 's'.repeat(40),
      DATA_DIR: dataFolder(),
    };
    const child = run('the service', [process.execPath, '--import', preload, MAIN], {
      env: variables(own),
    });
    await child.says('loaded');
    child.signal('SIGTERM');
    expect(await endOf(child), child.output.errors).toBe(0);
    expect(child.output.text).toMatch(/^loaded 0\./);
  });

  it('is passed on by npm start', async () => {
    const npm = process.env.npm_execpath;
    const command = npm ? [process.execPath, npm, 'start'] : ['npm', 'start'];
    const child = run('npm start', command, {
      cwd: projectRoot,
      env: variables({ DATA_DIR: dataFolder() }),
    });
    await child.says('"msg":"ready"');
    child.signal('SIGTERM');
    expect(await endOf(child), child.output.errors).toBe(0);
    expect(child.output.text).toMatch(/"msg":"stopped"/);
  });
});
