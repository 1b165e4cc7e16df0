import { isStorable } from '../../platform/storable.js';
import { MOST_OPTIONS } from './poll.types.js';

/** A poll as it is imported. */
export interface ImportedPoll {
  readonly externalId: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly multiple: boolean;
  readonly statement: string | null;
  readonly opensAt: Date | null;
  readonly closesAt: Date | null;
}

/** So many polls are read at once. */
export const MOST_POLLS = 1_000;

/**
 * Reads what an address of polls answers: a list, or an object with a list `polls`. Each poll is an
 * object with `id`, `question`, and as they are there `options` (texts, or objects with `text`),
 * `multiple`, `statement`, `opens_at` and `closes_at` (RFC 3339). Returns undefined for each that
 * cannot be read; undefined for what is no list.
 */
export function readPollList(body: unknown): (ImportedPoll | undefined)[] | undefined {
  const list = isRecord(body) ? body.polls : body;
  return Array.isArray(list) ? list.slice(0, MOST_POLLS).map(readPoll) : undefined;
}

function readPoll(value: unknown): ImportedPoll | undefined {
  if (!isRecord(value)) return undefined;
  const { id, question, options = [], multiple, statement, opens_at, closes_at } = value;
  const externalId = typeof id === 'number' ? String(id) : id;
  const texts = Array.isArray(options)
    ? options.map((option) => (isRecord(option) ? option.text : option))
    : [undefined];
  const [opensAt, closesAt] = [momentOf(opens_at), momentOf(closes_at)];
  const fits =
    isText(externalId, 200) &&
    isText(question, 64 * 1024) &&
    texts.length <= MOST_OPTIONS &&
    texts.every((text) => isText(text, 200)) &&
    (statement === undefined || statement === null || isText(statement, 64 * 1024)) &&
    opensAt !== undefined &&
    closesAt !== undefined &&
    !(opensAt && closesAt && closesAt <= opensAt);
  if (!fits) return undefined;
  return {
    externalId,
    question,
    options: texts as string[],
    multiple: multiple === true,
    statement: (statement as string | undefined) || null,
    opensAt,
    closesAt,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  Buffer.byteLength(value) <= most &&
  isStorable(value);

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Returns a moment; null for none, undefined for what is no moment. */
function momentOf(value: unknown): Date | null | undefined {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !RFC3339.test(value)) return undefined;
  const moment = new Date(value);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
