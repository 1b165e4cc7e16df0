// What reads or writes a text that strangers send takes CPU by its length, and no more: a text of four
// times the length may take a little more than four times as long.

import { renderMail } from '../../src/domains/mail/mail-rendering.js';
import type { Wording } from '../../src/domains/mail/template.js';
import { TEMPLATES } from '../../src/domains/mail/templates.js';
import { readDosages } from '../../src/domains/reminders/schedule/fhir/dosage-reading.js';
import { FhirVersion } from '../../src/domains/reminders/schedule/fhir/fhir-version.enums.js';
import { parseLead } from '../../src/domains/reminders/schedule/lead.js';
import { parseRule } from '../../src/domains/reminders/schedule/rule-parser.js';
import { icalendarEvent, icalendarHead } from '../../src/platform/icalendar.js';
import { readResponse } from '../../src/platform/oembed/oembed-response.js';
import { listedEndpoint } from '../../src/platform/oembed/providers.js';
import { safeHtml } from '../../src/platform/oembed/safe-html.js';
import { cpuOf } from '../support/cpu.js';

const KIB = 1024;
const SHORT = 16 * KIB;
/** Milliseconds that garbage collection may add. */
const NOISE = 20;
/** Pieces that a text is made of. */
const PIECES = [
  ...[
    'a',
    ' ',
    '\r\n',
    '\t',
    'é',
    '😀',
    ',;\\',
    '"',
    "'",
    '%',
    '(',
    '[',
    '<',
    '<a ',
    '&',
    '&#',
    '@',
  ],
  ...[
    'a@',
    '.',
    '-',
    '--',
    '1',
    '1,',
    '0:',
    'P1D',
    'FREQ=DAILY;',
    ';BYDAY=MO',
    '1 hour ',
    '<!--',
    '=?',
  ],
];

/** Runs something that may refuse what it is given. */
const tried = (work: () => unknown) => {
  try {
    work();
  } catch {
    // A refusal is an answer.
  }
};
const at = new Date('2026-03-01T08:00:00Z');
const dosages = (given: (text: string) => object | object[]) => (text: string) =>
  tried(() => readDosages([given(text)].flat(), FhirVersion.R5));
const mail = (text: string) => {
  for (const { values, wordings } of Object.values(TEMPLATES).slice(0, 3)) {
    const given = Object.fromEntries([...values, 'site'].map((name) => [name, text]));
    renderMail(
      wordings as Parameters<typeof renderMail>[0] & Record<string, Wording>,
      'en',
      given,
      'UTC',
    );
  }
};

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'an event of iCalendar': (text) =>
    icalendarEvent({
      ...{ id: 'x', stamp: at, start: at, end: at, alarm: 60, isBusy: false },
      ...{ summary: text, description: text },
    }),
  'the head of a calendar': (text) => icalendarHead(text, 'x'),
  'a rule of iCalendar': (text) => parseRule(text),
  'a part of a rule': (text) => parseRule(`FREQ=DAILY;BYHOUR=${text}`),
  'a lead': (text) => parseLead(text),
  'a text of a Dosage': dosages((text) => ({ text, patientInstruction: text })),
  'the names of a Dosage': dosages((text) => ({ [text]: text, timing: { code: { text } } })),
  'the times of a Dosage': dosages((text) => ({
    timing: { repeat: { timeOfDay: text.match(/.{1,8}/gs) } },
  })),
  'the units of a Dosage': dosages((text) => ({
    doseAndRate: [{ doseQuantity: { value: 1, unit: text, code: text } }],
  })),
  'Dosages by number': dosages((text) =>
    Array.from({ length: text.length / KIB }, () => ({ text: text.slice(0, KIB) })),
  ),
  'the values of a mail': mail,
  'an address of an embed': (text) => {
    const address = `https://a.example/${encodeURIComponent(text.toWellFormed())}`;
    return listedEndpoint(new URL(address));
  },
  'an answer about an embed': (text) =>
    readResponse(
      JSON.stringify({ type: 'rich', version: '1.0', html: text, title: text }),
      'https://a.example/',
      'discovered',
    ),
  'the HTML of an embed': (text) => safeHtml(text, 'discovered'),
};

const filled = (length: number, piece: string) => piece.repeat(length / piece.length + 1);

/** Runs of a reader: more where the first are not clear, since a busy machine makes them dearer. */
const RUNS = [2, 10];
/** Returns the least CPU in milliseconds of some runs: what is more is garbage and luck. */
const least = (read: (text: string) => unknown, text: string, runs: number) =>
  Math.min(...Array.from({ length: runs }, () => cpuOf(() => void read(text))));

/** Whether a text of four times the length takes at most seven times as long. */
function isLinear(read: (text: string) => unknown, piece: string): boolean {
  const long = filled(4 * SHORT, piece);
  if (cpuOf(() => void read(long)) < NOISE) return true;
  const short = filled(SHORT, piece);
  return RUNS.some((runs) => least(read, long, runs) <= 7 * least(read, short, runs) + NOISE);
}

describe('The CPU of reading', () => {
  it.each(Object.entries(READERS))('%s is linear', (_name, read) => {
    expect(PIECES.filter((piece) => !isLinear(read, piece))).toStrictEqual([]);
  });

  it('is seen to be none where each sign is compared with those before it', () => {
    const quadratic = (text: string) => {
      let found = 0;
      for (let i = 0; i < text.length; i++)
        for (let j = 0; j < i; j += 16) if (text.charCodeAt(i) === text.charCodeAt(j)) found++;
      return found;
    };
    expect(isLinear(quadratic, 'ab')).toBe(false);
  });
});
