import type { Config } from '../config/config.js';
import { StartError } from '../platform/database/database.js';
import { whyNoFile, whyNoFolder } from '../platform/writable.js';

/** A place of the file system that the service writes, with the variable that names it. */
interface WritablePlace {
  readonly variable: string;
  readonly path: string;
  /** Why it cannot be written; undefined when it can. */
  readonly fault: string | undefined;
}

/** Returns the places that the service writes, each with what is wrong with it. Changes nothing. */
export const writablePlaces = ({ DATA_DIR, AUDIT_HEAD_FILE }: Config): readonly WritablePlace[] => [
  { variable: 'DATA_DIR', path: DATA_DIR, fault: whyNoFolder(DATA_DIR) },
  { variable: 'AUDIT_HEAD_FILE', path: AUDIT_HEAD_FILE, fault: whyNoFile(AUDIT_HEAD_FILE) },
];

/** Throws a StartError for a place that cannot be written: what is kept there would be lost. */
export function requireWritable(config: Config): void {
  for (const { variable, path, fault } of writablePlaces(config))
    if (fault) throw new StartError(`${variable} is ${path}, which ${fault}.`);
}
