import { type DestinationStream, type Logger, pino } from 'pino';

const LONGEST = 300;

/**
 * What the log says of an error: its kind, its code, the last line of its message and where it came from. Drivers put values of rows
 * and arguments into messages and details, and nobody's data belongs in a log.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '', code } = error as NodeJS.ErrnoException;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return { type: name, code, message: message.trim().split('\n').at(-1)?.slice(0, LONGEST), stack: frames.join('\n') };
}

/** A log of one JSON line an event. */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: undefined, serializers: { err: describeError } };
  return destination ? pino(options, destination) : pino(options);
}
