import { inLanguage, languageFor, type Spoken } from '../../platform/language.js';
import type { Words } from './wording.js';

/** A medicine of which the member is notified. */
interface RunningOut {
  readonly name: string;
  /** YYYY-MM-DD. */
  readonly day: string;
}

/** The words of one language; `{day}`, `{count}` and `{names}` are filled in. */
interface Wording {
  readonly title: string;
  readonly one: string;
  readonly several: string;
  readonly named: string;
}

/** Screens lie where others read them: medicines are named only where the member chose so. */
const WORDINGS: Record<'stock_low' | 'stock_expiring', Spoken<Wording>> = {
  stock_low: {
    en: {
      title: 'Refill soon',
      one: 'One of your medicines runs out on {day}.',
      several: '{count} of your medicines run out soon, the first on {day}.',
      named: 'Running out: {names}.',
    },
    de: {
      title: 'Bald nachkaufen',
      one: 'Eines Ihrer Medikamente geht am {day} zu Ende.',
      several: '{count} Ihrer Medikamente gehen zu Ende, das erste am {day}.',
      named: 'Geht zu Ende: {names}.',
    },
    es: {
      title: 'Reponer pronto',
      one: 'Uno de sus medicamentos se acaba el {day}.',
      several: '{count} de sus medicamentos se acaban pronto, el primero el {day}.',
      named: 'Se acaba: {names}.',
    },
    fr: {
      title: 'À renouveler bientôt',
      one: "L'un de vos médicaments s'épuise le {day}.",
      several: "{count} de vos médicaments s'épuisent bientôt, le premier le {day}.",
      named: "S'épuise : {names}.",
    },
    pt: {
      title: 'Repor em breve',
      one: 'Um dos seus medicamentos acaba a {day}.',
      several: '{count} dos seus medicamentos acabam em breve, o primeiro a {day}.',
      named: 'Acaba em breve: {names}.',
    },
    ar: {
      title: 'جدّد مخزونك قريبًا',
      one: 'ينفد أحد أدويتك في {day}.',
      several: 'تنفد قريبًا {count} من أدويتك، أولها في {day}.',
      named: 'ينفد قريبًا: {names}.',
    },
  },
  stock_expiring: {
    en: {
      title: 'Expires soon',
      one: 'A pack of one of your medicines expires on {day}.',
      several: 'Packs of {count} of your medicines expire soon, the first on {day}.',
      named: 'Expiring: {names}.',
    },
    de: {
      title: 'Läuft bald ab',
      one: 'Eine Packung eines Ihrer Medikamente läuft am {day} ab.',
      several: 'Packungen von {count} Ihrer Medikamente laufen bald ab, die erste am {day}.',
      named: 'Läuft ab: {names}.',
    },
    es: {
      title: 'Caduca pronto',
      one: 'Un envase de uno de sus medicamentos caduca el {day}.',
      several: 'Envases de {count} de sus medicamentos caducan pronto, el primero el {day}.',
      named: 'Caduca pronto: {names}.',
    },
    fr: {
      title: 'Expire bientôt',
      one: "Une boîte de l'un de vos médicaments expire le {day}.",
      several: 'Des boîtes de {count} de vos médicaments expirent bientôt, la première le {day}.',
      named: 'Expire bientôt : {names}.',
    },
    pt: {
      title: 'Expira em breve',
      one: 'Uma embalagem de um dos seus medicamentos expira a {day}.',
      several: 'Embalagens de {count} dos seus medicamentos expiram em breve, a primeira a {day}.',
      named: 'Expira em breve: {names}.',
    },
    ar: {
      title: 'تنتهي الصلاحية قريبًا',
      one: 'تنتهي صلاحية عبوة من أحد أدويتك في {day}.',
      several: 'تنتهي قريبًا صلاحية عبوات من {count} من أدويتك، أولها في {day}.',
      named: 'تنتهي الصلاحية قريبًا: {names}.',
    },
  },
};

/**
 * Returns what a lock screen shows of the stock of medicines, which it names where it may, in a
 * language (BCP 47), English for any other.
 */
export function stockWords(
  kind: 'stock_low' | 'stock_expiring',
  language: string,
  told: readonly RunningOut[],
  mayName: boolean,
): Words {
  const spoken = languageFor(WORDINGS[kind], language);
  const { title, one, several, named } = inLanguage(WORDINGS[kind], spoken);
  const unnamed = told.length > 1 ? several : one;
  const [first = ''] = told.map(({ day }) => day).sort();
  const names = told.map(({ name, day }) => `${name} (${dayIn(spoken, day)})`);
  const filled: Readonly<Record<string, string>> = {
    count: String(told.length),
    names: new Intl.ListFormat(spoken, { type: 'conjunction' }).format(names),
    day: dayIn(spoken, first),
  };
  const fill = (_: string, part: string) => filled[part] ?? '';
  return { title, body: (mayName ? named : unnamed).replace(/\{(\w+)\}/g, fill) };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a day in words, such as "3 May". */
function dayIn(spoken: string, day: string): string {
  const language = spoken === 'en' ? 'en-GB' : spoken;
  const format =
    formats.get(language) ??
    new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  formats.set(language, format);
  return format.format(new Date(`${day}T00:00:00Z`));
}
