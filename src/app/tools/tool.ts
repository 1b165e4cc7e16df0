import { isUnavailable, StartError } from '../../platform/database/database.js';

/**
 * Runs a command and ends the process with the exit code that it answers, whatever timers and
 * connections are left. What it cannot do is one sentence on the standard error and exit code 2, or
 * `failed`; nobody's password is in it.
 */
export async function runTool(command: () => Promise<number>, failed = 2): Promise<never> {
  let code = failed;
  try {
    code = await command();
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
  }
  // What is written to a pipe is on its way only when the stream says so.
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
