/** What is said in several languages, by their tags (BCP 47) in lower case; always in English. */
export type Spoken<T> = { readonly en: T; readonly [language: string]: T };

/** The language that suits somebody best: theirs, the same without its region, or English. */
export function languageFor<T>(spoken: Spoken<T>, language: string): string {
  const wanted = language.toLowerCase();
  return [wanted, wanted.split('-')[0] ?? ''].find((known) => Object.hasOwn(spoken, known)) ?? 'en';
}

/** What is said in that language. */
export const inLanguage = <T>(spoken: Spoken<T>, language: string): T =>
  spoken[languageFor(spoken, language)] ?? spoken.en;
