import { isUnavailable, StartError } from '../../platform/database/database.js';

/**
 * Runs a command and ends the process with the exit code that it returns, even while timers and
 * connections are open. On an error, writes one sentence without passwords to the standard error
 * and ends with exit code 2.
 */
export async function runTool(command: () => Promise<number>): Promise<never> {
  let code = 2;
  try {
    code = await command();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
  }
  // Waits until the output is written, because writes to a pipe are asynchronous.
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) => new Promise((resolve) => stream.write('', resolve)),
    ),
  );
  process.exit(code);
}

function sentenceOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (isUnavailable(error)) return 'The database does not answer, or takes no writes.';
  return `The command failed. ${error instanceof Error ? error.stack : error}`;
}
