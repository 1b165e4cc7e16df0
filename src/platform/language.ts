/** A value in several languages, by BCP 47 tag in lower case. English is always present. */
export type Spoken<T> = { readonly en: T; readonly [language: string]: T };

/**
 * Returns the best available language for a person: the requested one, else the same without its
 * region, else English.
 */
export function languageFor<T>(spoken: Spoken<T>, language: string): string {
  const wanted = language.toLowerCase();
  return [wanted, wanted.split('-')[0] ?? ''].find((known) => Object.hasOwn(spoken, known)) ?? 'en';
}

/** Returns the value in the best available language. */
export const inLanguage = <T>(spoken: Spoken<T>, language: string): T =>
  spoken[languageFor(spoken, language)] ?? spoken.en;
