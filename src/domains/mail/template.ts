export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/**
 * The text of a mail in one language: paragraphs with {names} for values. {name|time} shows an ISO
 * 8601 instant in the site's clock time. In every template `{site}` is the title of the site, and
 * `{end}` the instant at which the lifetime of the mail ends.
 */
export interface Wording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/** A kind of mail. It is not sent later than `lifetime` milliseconds after it was queued. */
export interface Template<V extends string = string> {
  readonly lifetime: number;
  readonly values: readonly V[];
  /** Texts by BCP 47 language; English is always present. */
  readonly wordings: { readonly en: Wording; readonly [language: string]: Wording };
}

/** Makes a template; the types of its values follow from their names. */
export const template = <V extends string = never>(
  lifetime: number,
  values: readonly V[],
  wordings: Template['wordings'],
): Template<V> => ({ lifetime, values, wordings });
