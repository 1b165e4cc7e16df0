import { inLanguage, type Spoken } from '../../../platform/language.js';

const WORDINGS: Spoken<string> = {
  en: '{code} is the code with which you allow {site} to send you reminders here.',
  de: 'Mit dem Code {code} erlauben Sie {site}, Ihnen hier Erinnerungen zu senden.',
  es: '{code} es el código con el que permite que {site} le envíe recordatorios aquí.',
  fr: '{code} est le code par lequel vous permettez à {site} de vous envoyer des rappels ici.',
  pt: '{code} é o código com que permite que {site} lhe envie lembretes aqui.',
  ar: '{code} هو الرمز الذي تسمح به لـ {site} بإرسال التذكيرات إليك هنا.',
};

/** Returns the text that brings a code to a channel, in a language (BCP 47). */
export const codeWords = (language: string, values: { code: string; site: string }): string =>
  inLanguage(WORDINGS, language).replace(
    /\{(code|site)\}/g,
    (_, name: 'code' | 'site') => values[name],
  );
