import type { GraphQLFormattedError } from 'graphql';
import Negotiator from 'negotiator';
import { isReason } from '../../core/reasons.js';
import type { Sending } from '../response-headers.js';
import { GERMAN } from './german.js';

/** The meanings of reasons, by the languages that mails are written in; messages are in English. */
const SPOKEN: Readonly<Record<string, typeof GERMAN>> = { de: GERMAN };
const LANGUAGES = ['en', ...Object.keys(SPOKEN)];
/** So many characters of an Accept-Language are read. */
const LONGEST = 500;

/**
 * Says the messages of refusals in the language that the caller prefers by Accept-Language (RFC 9110,
 * 12.5.4): the meaning of each reason. What has a code of another kind stays in English.
 */
export function speak({ request, response }: Sending): void {
  const wanted = request.http?.headers.get('accept-language')?.slice(0, LONGEST);
  if (!wanted || response.body.kind !== 'single' || !response.body.singleResult.errors) return;
  const header = { headers: { 'accept-language': wanted } };
  const [language = 'en'] = new Negotiator(header).languages(LANGUAGES);
  const meanings = SPOKEN[language];
  if (!meanings) return;
  const { singleResult } = response.body;
  singleResult.errors = singleResult.errors?.map((error) => said(error, meanings));
  response.http.headers.set('content-language', language);
}

interface Coded {
  readonly code?: unknown;
  readonly message: string;
}

const messageOf = ({ code, message }: Coded, meanings: typeof GERMAN) =>
  isReason(code) ? meanings[code] : message;

function said(error: GraphQLFormattedError, meanings: typeof GERMAN): GraphQLFormattedError {
  const { extensions = {} } = error;
  const problems = (extensions.problems as Coded[] | undefined)?.map((problem) => ({
    ...problem,
    message: messageOf(problem, meanings),
  }));
  const message = messageOf({ code: extensions.code, message: error.message }, meanings);
  return { ...error, message, extensions: { ...extensions, ...(problems && { problems }) } };
}
