import { StartError } from '../platform/database/database-errors.js';

/** Starts a process of the service. If it cannot start, writes one sentence and exits with code 1. */
export const startOrExit = (start: () => Promise<void>): Promise<void> =>
  start().catch((error: unknown) => {
    process.stderr.write(
      error instanceof StartError
        ? `${error.message}\n`
        : `The service could not start. ${error instanceof Error ? error.stack : error}\n`,
    );
    process.exit(1);
  });
