import { isPlainName, plainName } from '../../src/platform/plain-name.js';

/** What somebody gives as a name, and what is made of it; itself when it is a plain name. */
const NAMES: readonly (readonly [given: string, made: string])[] = [
  // Titles and initials need no blank behind their dots.
  ...[
    'Dr. Weiss',
    'Dr.Weiss',
    'dr.Weiss',
    'Prof.Dr.Weiss',
    'Dr.med.Weiss',
    'Prof.Dr.med.J.Weiss',
    'Dr.Müller-Lüdenscheidt',
    "Dr.O'Neil",
    'Dr.Ng',
    'Mr.Smith',
    'Mrs.Smith',
    'Ms.Smith',
    'St.Clair',
    'Fr.Brown',
    'Dipl.Ing.Weber',
    'Clara Dr.Weiss, Ward 3',
    'Clara (Dr.Weiss)',
    'J.R.R.Tolkien',
    'J.Smith',
    'A.Ж.Ёлкин',
    'Ward 3.2',
    'Mina',
  ].map((name) => [name, name] as const),
  // Addresses stay refused, whatever stands around them.
  ['weiss.de', 'weiss de'],
  ['Weiss.De', 'Weiss De'],
  ['Clara.Weiss', 'Clara Weiss'],
  ['www.x', 'www x'],
  ['www.example', 'www example'],
  ['WWW.Weiss', 'WWW Weiss'],
  ['http://weiss', 'http weiss'],
  ['evil.com/x', 'evil com/x'],
  ['dr.weiss', 'dr weiss'],
  ['Dr.weiss', 'Dr weiss'],
  ['Dr.Com', 'Dr Com'],
  ['Dr.Weiss.com', 'Dr Weiss com'],
  ['Dr.Weiss.Com', 'Dr Weiss Com'],
  ['evil.Dr.Weiss', 'evil Dr Weiss'],
  ['x@Dr.Weiss', 'x@Dr Weiss'],
  ['Dr.Weiss/x', 'Dr Weiss/x'],
  ['Dr.Weiss:8080', 'Dr Weiss:8080'],
  ['https://Dr.Weiss', 'https Dr Weiss'],
  ['Dr。Weiss', 'Dr Weiss'],
  ['Dr.We\u200biss.de', 'Dr Weiss de'],
  ['T.Co', 'T Co'],
  ['X.Com', 'X Com'],
  ['X.Com,', 'X Com,'],
  ['Dr.Weiss of evil.com', 'Dr.Weiss of evil com'],
  // Tags go apart, other signs stay.
  ...['Mina <3', 'Tom & Jerry', '5 < 6 > 4', 'x <- y'].map((name) => [name, name] as const),
  ['<img src=x onerror=y>', 'img src=x onerror=y>'],
  ['<<svg/onload=y>', '< svg/onload=y>'],
  ['Mina</b>', 'Mina /b>'],
  ['<!--Mina', '!--Mina'],
  ['<?Mina', '?Mina'],
  ['<\u200bimg>', 'img>'],
  ['\uff1cimg>', 'img>'],
];

describe('A name that others read', () => {
  for (const [given, made] of NAMES) {
    const isPlain = given === made;
    it(`${isPlain ? 'may be' : 'is never'} ${JSON.stringify(given)}`, () => {
      expect(isPlainName(given)).toBe(isPlain);
      expect(plainName(given)).toBe(made);
      expect(isPlainName(made), 'what is made is plain').toBe(true);
    });
  }
});
