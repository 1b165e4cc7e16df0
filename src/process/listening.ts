import type { Server } from 'node:net';
import { StartError } from '../platform/database/database-errors.js';

/** Where to listen. */
interface Address {
  readonly PORT: number;
  readonly HOST: string;
}

/** Resolves when the server listens. Rejects with a StartError when it cannot. */
export function listen(server: Server, { PORT, HOST }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? 'is in use: stop what listens there, or set PORT'
          : `cannot be listened on (${error.code})`;
      reject(new StartError(`Port ${PORT} on ${HOST} ${why}.`));
    });
    server.listen(PORT, HOST, resolve);
  });
}
