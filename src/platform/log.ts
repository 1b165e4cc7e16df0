import { type DestinationStream, type Logger, pino } from 'pino';

const LONGEST = 300;

/**
 * What the log says of an error: its kind, its code, the last line of its message and where it came from. Drivers put values of rows
 * and arguments into messages and details, and nobody's data belongs in a log.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const message = error.message.trim().split('\n').at(-1)?.slice(0, LONGEST);
  return { ...describeFailure(error), message };
}

/** The same without its message, for what failed on somebody's data: even the last line may quote them. */
export function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, stack = '', code } = error as NodeJS.ErrnoException;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return { type: name, code, stack: frames.join('\n') };
}

/** A log of one JSON line an event. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: undefined, serializers: { err: describeError } };
  return destination ? pino(options, destination) : pino(options);
}
