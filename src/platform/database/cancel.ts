import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Internals of a `pg` connection that its types do not declare. */
interface Internals {
  readonly host: string;
  readonly port: number;
  readonly ssl: boolean | object;
  readonly processID: number | null;
  readonly secretKey: number | Buffer | null;
  readonly connection: { readonly sslNegotiation?: string; readonly stream: { destroy(): void } };
}

interface Wire {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number | Buffer): void;
  on(event: 'connect' | 'sslconnect' | 'end' | 'error', listener: () => void): void;
  readonly stream: { destroy(): void };
}

/**
 * How long to wait for the server to take a cancellation, and the pause between two cancellations,
 * in milliseconds. The pause doubles from `first` to `last`.
 */
const CANCEL_TIMEOUT = 1_000;
const PAUSES = { first: 50, last: 1_600 } as const;

/**
 * Cancels the statement that a connection runs. Sends CancelRequest over a separate connection, as
 * the protocol requires (PostgreSQL's documentation, 55.2.7). So it needs no free connection of the
 * pool, and it works through poolers. Repeats the request until `ended` is aborted, because a
 * server ignores it before the statement starts. Closes the connection of a statement that still
 * runs after three seconds.
 */
export async function cancelStatement(client: pg.ClientBase, ended: AbortSignal): Promise<void> {
  for (let pause: number = PAUSES.first; !ended.aborted && pause <= PAUSES.last; pause *= 2) {
    await request(client as unknown as Internals);
    await sleep(pause, undefined, { signal: ended }).catch(() => {});
  }
  if (!ended.aborted) (client as unknown as Internals).connection.stream.destroy();
}

async function request({
  host,
  port,
  ssl,
  processID,
  secretKey,
  connection,
}: Internals): Promise<void> {
  if (processID === null || secretKey === null) return;
  const { sslNegotiation } = connection;
  const wire = new (pg.Connection as unknown as new (config: object) => Wire)({
    ssl,
    sslNegotiation,
  });
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, CANCEL_TIMEOUT);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const cancel = () => wire.cancel(processID, secretKey);
    wire.on('connect', () => (ssl ? wire.requestSsl() : cancel()));
    wire.on('sslconnect', cancel);
    wire.on('error', done);
    wire.on('end', done);
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
    else wire.connect(port, host);
  });
  wire.stream.destroy();
}
