import type { IncomingMessage } from 'node:http';
import type {
  ExecutionResult,
  FormattedExecutionResult,
  GraphQLError,
  GraphQLFormattedError,
} from 'graphql';
import Negotiator from 'negotiator';
import type { Problem } from '../../app/schema/problems.js';
import { isReason, type Reason } from '../../core/reasons.js';
import type { Sending } from '../response-headers.js';
import { GERMAN } from './german.js';
import { germanOfValue } from './german-values.js';

/** What messages are in a language that mails are written in, other than English. */
interface Language {
  readonly reasons: Readonly<Record<Reason, string>>;
  /** Returns what is wrong with a value; undefined for what has no words in the language. */
  readonly ofValue: (message: string) => string | undefined;
  /** Says that an error has more problems than its message names. */
  readonly more: string;
}

const SPOKEN: Readonly<Record<string, Language>> = {
  de: { reasons: GERMAN, ofValue: germanOfValue, more: 'Es gibt weitere.' },
};
const LANGUAGES = ['en', ...Object.keys(SPOKEN)];
/** So many characters of an Accept-Language are read. */
const LONGEST = 500;
/** So many problems are named in the message of their error. */
const NAMED = 3;

/**
 * Says the messages of refusals in the language that the caller prefers by Accept-Language (RFC 9110,
 * 12.5.4): the meaning of each reason, and the bounds of values. What else is wrong with a document or
 * a request stays in English.
 */
export function speak({ request, response }: Sending): void {
  if (response.body.kind !== 'single' || !response.body.singleResult.errors) return;
  const name = languageFor(request.http?.headers.get('accept-language'));
  const language = SPOKEN[name];
  if (!language) return;
  const { singleResult } = response.body;
  singleResult.errors = singleResult.errors?.map((error) => said(error, language));
  response.http.headers.set('content-language', name);
}

/** Returns errors as they are said to who made a request, in the same way. */
export function spokenErrors(
  errors: readonly GraphQLError[],
  { headers }: IncomingMessage,
): readonly GraphQLFormattedError[] {
  const language = SPOKEN[languageFor(headers['accept-language'])];
  return language ? errors.map((error) => said(error.toJSON(), language)) : errors;
}

/** Returns the result of a subscription with its errors as they are said to who made the request. */
export const spokenResult = (
  { errors, ...result }: ExecutionResult,
  request: IncomingMessage,
): FormattedExecutionResult => ({
  ...(errors && { errors: spokenErrors(errors, request) }),
  ...result,
});

/** Returns the language that an Accept-Language prefers of those that there are. */
function languageFor(wanted: string | undefined): string {
  if (!wanted) return 'en';
  const headers = { 'accept-language': wanted.slice(0, LONGEST) };
  return new Negotiator({ headers }).languages(LANGUAGES)[0] ?? 'en';
}

function said(error: GraphQLFormattedError, language: Language): GraphQLFormattedError {
  const { extensions = {} } = error;
  const given = extensions.problems as readonly Problem[] | undefined;
  const problems = given?.map((problem) => ({
    ...problem,
    message: messageIn(language, problem) ?? problem.message,
  }));
  const own = isReason(extensions.code) ? language.reasons[extensions.code] : undefined;
  const message = own ?? (given && problems && ofProblems(given, problems, language));
  return {
    ...error,
    message: message ?? error.message,
    extensions: { ...extensions, ...(problems && { problems }) },
  };
}

const messageIn = ({ reasons, ofValue }: Language, { code, message }: Problem) =>
  isReason(code) ? reasons[code] : ofValue(message);

/** Returns the message of several problems; undefined when one that it names stays in English. */
function ofProblems(
  given: readonly Problem[],
  problems: readonly Problem[],
  { more }: Language,
): string | undefined {
  const named = problems.slice(0, NAMED);
  if (named.some(({ message }, i) => message === given[i]?.message)) return undefined;
  const sentences = named.map(({ path, code, message }) =>
    isReason(code) ? message : `${path.join('.')} ${message}.`,
  );
  return [...sentences, ...(problems.length > NAMED ? [more] : [])].join(' ');
}
