/** What a value must be, in English as in `Bounded.expected`, and in German; `#` is a number. */
export const GERMAN_VALUES: Readonly<Record<string, string>> = {
  'a text': 'ein Text',
  'a text of at most # bytes without NUL': 'ein Text von höchstens # Bytes ohne NUL',
  'a text of # to # bytes without NUL': 'ein Text von # bis # Bytes ohne NUL',
  'a text of at most # KiB': 'ein Text von höchstens # KiB',
  'a text of at most # KiB without NUL': 'ein Text von höchstens # KiB ohne NUL',
  'one line of # to # bytes without tags and without the address of a web page: put a blank after each dot':
    'eine Zeile von # bis # Bytes ohne HTML und ohne Webadresse, mit einem Leerzeichen nach jedem Punkt,',
  'a reason of # to # characters': 'ein Grund von # bis # Zeichen',
  'a name or a number of at most # characters': 'ein Name oder eine Zahl von höchstens # Zeichen',
  'at most # words and "quoted phrases" of at most # characters each, # bytes in all':
    'eine Suche von höchstens # Wörtern und „Wortfolgen“ von je höchstens # Zeichen, zusammen höchstens # Bytes,',
  'a whole number of # to #': 'eine ganze Zahl von # bis #',
  'a whole number of -# to #': 'eine ganze Zahl von -# bis #',
  'a whole number of at least #': 'eine ganze Zahl von mindestens #',
  'a number of # to #': 'eine Zahl von # bis #',
  'a number of -# to #': 'eine Zahl von -# bis #',
  'a number of # to # with at most four decimals':
    'eine Zahl von # bis # mit höchstens vier Nachkommastellen',
  'a number of pixels': 'eine Zahl von Pixeln',
  'a UUID': 'eine UUID',
  'an e-mail address': 'eine E-Mail-Adresse',
  'an http or https address of at most # characters':
    'eine Adresse mit http oder https von höchstens # Zeichen',
  'an origin of at most # characters without a path, such as https://www.example.org (http for localhost alone)':
    'eine Herkunft von höchstens # Zeichen ohne Pfad wie https://www.example.org (http nur für localhost)',
  'a media type such as image/jpeg': 'ein Dateityp wie image/jpeg',
  'the two letters of a country (ISO #-#), such as DE':
    'das Kürzel eines Landes aus zwei Buchstaben (ISO #-#) wie DE',
  'the BCP # tag of a language, such as en or pt-BR':
    'das Kürzel einer Sprache (BCP #) wie en oder pt-BR',
  'the IANA name of a time zone, such as Europe/Berlin':
    'der Name einer Zeitzone (IANA) wie Europe/Berlin',
  'the IANA name of a time zone, or an offset':
    'der Name einer Zeitzone (IANA) oder ein Abstand zu UTC',
  'a time of day such as #:#': 'eine Uhrzeit wie #:#',
  'a date and time such as #-#-#T#:#:#': 'ein Tag mit Uhrzeit wie #-#-#T#:#:#',
  'a date and time without an offset': 'ein Tag mit Uhrzeit ohne Abstand zu UTC',
  'JSON of at most # MiB': 'JSON von höchstens # MiB',
  'a JSON object without the names that providers keep':
    'ein JSON-Objekt ohne die Namen, die Anbieter verwenden,',
  'a JSON object of at most # KiB, nested at most # deep':
    'ein JSON-Objekt von höchstens # KiB und # Ebenen',
};

/** A number as messages have it: thousands are separated by commas, decimals by a dot. */
const NUMBER = /\d+(?:,\d{3})*(?:\.\d+)?/g;
const MUST_BE = 'must be ';

/** Messages of graphql-js and of graphql-scalars about values that people enter. */
const OF_LIBRARIES: readonly (readonly [RegExp, string])[] = [
  [/^Field "\w+" of required type "[^"]+" was not provided\.$/, 'ist unvollständig'],
  [/^Value is not a valid LocalTime: /, 'muss eine Uhrzeit wie 08:00 sein'],
  [/^Value is not a valid LocalDate: /, 'muss ein Tag wie 2026-03-01 sein'],
  [/^Value is not a valid UUID: /, 'muss eine UUID sein'],
  [/^DateTime (cannot represent|must be) /, 'muss ein Zeitpunkt wie 2026-03-01T07:00:00Z sein'],
];

/**
 * Returns what is wrong with a value in German; undefined for a message about something else,
 * such as the types of a document.
 */
export function germanOfValue(message: string): string | undefined {
  if (!message.startsWith(MUST_BE))
    return OF_LIBRARIES.find(([pattern]) => pattern.test(message))?.[1];
  const expected = message.slice(MUST_BE.length);
  const numbers = expected.match(NUMBER) ?? [];
  const german = GERMAN_VALUES[expected.replace(NUMBER, '#')];
  let i = 0;
  return german && `muss ${german.replaceAll('#', () => inGerman(numbers[i++] ?? ''))} sein`;
}

const inGerman = (number: string) => number.replace(/[,.]/g, (mark) => (mark === ',' ? '.' : ','));
