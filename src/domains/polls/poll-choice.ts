import { sortKey } from '../content/rendering/slug.js';
import type { SubmitPollInput } from './poll.inputs.js';
import type { PollRow } from './poll-row.service.js';

type Options = PollRow['options'];

/** The names under which applications send what they chose. The first that is given counts. */
const NAMES = [
  ...(['optionIds', 'answers', 'options', 'optionId', 'option', 'answer'] as const),
  ...(['answerId', 'answerIds', 'choice', 'choiceId', 'choices', 'choiceIds'] as const),
  ...(['value', 'values', 'selected', 'selection'] as const),
] as const;

/** What somebody chose, under the name that it was sent by. */
interface Choice {
  readonly param: (typeof NAMES)[number];
  /** Ids, each once; undefined where something is no option of the poll. */
  readonly ids: readonly number[] | undefined;
}

/**
 * Returns the options that an answer chose; undefined for an answer that names none, which records
 * participation. The interface declares `poll_id` alone, so options are taken as applications write
 * them: ids or texts of options, one, a list, a list of commas, or objects with one of these and
 * perhaps a mark whether it is chosen. Case and accents of texts do not count, and an empty text is
 * none. What is no option of the poll is not guessed.
 */
export function choiceOf(input: SubmitPollInput, options: Options): Choice | undefined {
  const param = NAMES.find((name) => isGiven(input[name]));
  if (!param) return undefined;
  const sent = input[param];
  const ids = Array.isArray(sent) ? sent : optionsIn(String(sent), options);
  return { param, ids: ids && [...new Set(ids)] };
}

const isGiven = (sent: unknown) =>
  sent !== undefined && sent !== null && !(typeof sent === 'string' && sent.trim() === '');

/** Returns ids for a text, or the JSON of what is none; undefined for what is not understood. */
function optionsIn(sent: string, options: Options): number[] | undefined {
  const whole = optionNamed(sent, options);
  if (whole !== undefined) return [whole];
  const values = parsed(sent);
  const parts = Array.isArray(values) ? values.filter(isChosen).map(namedBy) : [namedBy(values)];
  const ids = parts
    .flatMap((part) => (optionNamed(part, options) === undefined ? part.split(',') : [part]))
    .map((part) => optionNamed(part, options));
  return ids.every((id) => id !== undefined) ? ids : undefined;
}

function optionNamed(text: string, options: Options): number | undefined {
  const key = sortKey(text);
  const found =
    options.find(({ id }) => String(id) === key) ??
    options.find((option) => sortKey(option.text) === key);
  return found?.id;
}

type Values = Readonly<Record<string, unknown>>;

function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return sent;
  }
}

const PROPERTIES = [
  ...['id', 'option_id', 'optionId', 'answer_id', 'answerId', 'choice_id', 'choiceId'],
  ...['value', 'text', 'label', 'option', 'answer', 'choice'],
];

const MARKS = ['selected', 'isSelected', 'is_selected', 'checked', 'chosen'];
const OFF: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', null]);

/** Returns whether no mark says that one of all options is not chosen. */
const isChosen = (value: unknown) =>
  typeof value !== 'object' ||
  value === null ||
  !MARKS.some((mark) => Object.hasOwn(value, mark) && OFF.has((value as Values)[mark]));

/** Returns the text of one chosen option: of an object that of its id, value or text. */
function namedBy(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const name = PROPERTIES.find((property) => Object.hasOwn(value, property));
  const inner = name && (value as Values)[name];
  return typeof inner === 'string' || typeof inner === 'number' ? String(inner) : '';
}
