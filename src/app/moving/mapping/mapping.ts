import { readFile, stat } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { StartError } from '../../../platform/database/database.js';
import {
  type DateOrder,
  MAPPED_FIELDS,
  MAPPING_SCHEMA,
  type MappedName,
} from './mapping.fields.js';

/** From which query rows of a kind come, and what its columns mean. */
export interface MappedQuery {
  readonly kind: MappedName;
  /** What the rows are called in reports: a table. */
  readonly from: string;
  /** A SELECT; `{table}` is the name of a table with its prefix. */
  readonly query: string;
  /** The column of each field. */
  readonly columns: Readonly<Record<string, string>>;
  readonly dates: DateOrder;
}

/** What a mapping file holds. */
interface MappingFile {
  readonly dates?: DateOrder;
  readonly queries: readonly (Omit<MappedQuery, 'dates'> & { readonly dates?: DateOrder })[];
}

/** Largest mapping file in bytes. */
const LARGEST = 1024 * 1024;
/** Most references within a file, which could make a short file a huge value. */
const MOST_ALIASES = 20;

/**
 * Reads a mapping file, YAML or JSON, and returns its queries in the order in which their kinds are
 * imported. Throws StartError for what does not fit the schema, with the place.
 */
export async function readMapping(file: string): Promise<MappedQuery[]> {
  const read = parsed(await textOf(file), file);
  const check = new Ajv({ discriminator: true, allErrors: true }).compile<MappingFile>(
    MAPPING_SCHEMA,
  );
  if (!check(read)) {
    const faults = (check.errors ?? []).slice(0, 10).map((one) => {
      const { additionalProperty, allowedValues, allowedValue } = one.params;
      const about = additionalProperty ?? allowedValue ?? allowedValues?.join(', ');
      return `${one.instancePath || '/'} ${one.message}${about === undefined ? '' : `: ${about}`}`;
    });
    throw new StartError(`The mapping ${file} does not fit: ${faults.join('; ')}.`);
  }
  const kinds = Object.keys(MAPPED_FIELDS);
  return read.queries
    .map((query) => ({ dates: read.dates ?? ('in-doubt' as const), ...query }))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

async function textOf(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > LARGEST) throw new Error('it is larger than 1 MiB');
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new StartError(`The mapping ${file} cannot be read: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return parse(text, { maxAliasCount: MOST_ALIASES });
  } catch (cause) {
    throw new StartError(`The mapping ${file} is no YAML or JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}
