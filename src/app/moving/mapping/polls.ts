import { worked } from '../../../domains/content/rendering/rendering.service.js';
import { MOST_OPTIONS, ResultsVisibility } from '../../../domains/polls/poll.types.js';
import { languageOf } from '../accounts.js';
import type { Import, Left } from '../kind.js';
import { text } from '../kind.js';
import { POLICY_LINES, POLL_LINES } from '../lines/poll.lines.js';
import { NO_DATE } from '../stand-ins.js';
import { mappedInstant } from './mapped-date.js';
import type { FieldRow, FieldValue, MappedKind, Unnumbered } from './mapped-row.js';
import type { MappedQuery } from './mapping.js';
import { mostNumber } from './policy-number.service.js';

/** Most bytes of a question, a statement and an option, as those that are made here. */
const LONGEST_QUESTION = 64 * 1024;
const LONGEST_OPTION = 200;

const isTrue = (value: FieldValue) => /^(?:1|true|yes|on)$/i.test(text(value));
const refused = (reason: string): Left => ({ outcome: 'refused', reason });

/** Polls. Their results are seen by those who have answered. */
export const POLLS: MappedKind = {
  table: 'poll',
  columns: [
    'question',
    'multiple',
    'statement',
    'visibility',
    'opens_at',
    'closes_at',
    'created_at',
  ],
  judged: POLL_LINES.judged,
  isReferredTo: true,
  map: async (run, rows, query) => rows.map((row) => pollOf(run, row, query)),
};

function pollOf(
  { site, multiple }: Import,
  row: FieldRow,
  { dates }: MappedQuery,
): Unnumbered | Left {
  const [question, statement] = [text(row.question), text(row.statement)];
  if (!question.trim()) return refused('it has no question');
  if (
    Buffer.byteLength(question) > LONGEST_QUESTION ||
    Buffer.byteLength(statement) > LONGEST_QUESTION
  )
    return refused('its question or its statement is longer than 64 KiB');
  if (isTrue(row.multiple)) multiple.add(row.key);
  const opens = mappedInstant(row.opens, dates, site.timeZone);
  const closes = mappedInstant(row.closes, dates, site.timeZone);
  const remarks = [
    ...(opens.fault ? [`when it opens ${opens.fault}: it is open`] : []),
    ...(closes.fault ? [`when it closes ${closes.fault}: it stays open`] : []),
  ];
  const opensAt = opens.at?.toISOString() ?? NO_DATE;
  return {
    own: {
      question,
      multiple: isTrue(row.multiple),
      statement: statement || null,
      visibility: ResultsVisibility.AFTER_ANSWERING,
      opens_at: opensAt,
      closes_at: closes.at?.toISOString() ?? null,
      created_at: opensAt,
    },
    remarks,
  };
}

/** The answers that polls offer, in the order of their keys. */
export const OPTIONS: MappedKind = {
  table: 'poll_option',
  columns: ['poll_id', 'position', 'text'],
  isReferredTo: true,
  map: async (run, rows) => rows.map((row) => optionOf(run, row)),
};

function optionOf({ numbers, counts, optionPolls }: Import, row: FieldRow): Unnumbered | Left {
  const pollId = numbers.get('poll')?.get(text(row.poll));
  if (pollId === undefined)
    return { outcome: 'skipped', reason: 'its poll is not among those that are imported' };
  const position = Number(row.key);
  if (!Number.isInteger(position) || position < 0 || position >= 2 ** 31)
    return refused('its key is no number');
  const name = text(row.text);
  if (!name || Buffer.byteLength(name) > LONGEST_OPTION)
    return refused('its text is empty or longer than 200 bytes');
  const before = counts.get(`option ${pollId}`) ?? 0;
  if (before >= MOST_OPTIONS) return refused(`its poll has ${MOST_OPTIONS} options before it`);
  counts.set(`option ${pollId}`, before + 1);
  optionPolls.set(row.key, pollId);
  return { own: { poll_id: pollId, position, text: name } };
}

/** Versions of the policy, numbered in the order of their query. */
export const POLICIES: MappedKind = {
  table: 'policy',
  columns: ['language_id', 'number', 'title', 'text', 'effective_at', 'created_at'],
  judged: POLICY_LINES.judged,
  own: { column: 'number', once: 'TRUE' },
  isReferredTo: true,
  async map(run, rows, query) {
    const numbers = await mostNumber(run.context);
    return Promise.all(
      rows.map((row) => {
        const language = languageOf(text(row.language));
        // The batch before may still be written.
        const before = Math.max(
          numbers.get(language) ?? 0,
          run.counts.get(`policy ${language}`) ?? 0,
        );
        const number = before + 1;
        run.counts.set(`policy ${language}`, number);
        return policyOf(run, row, query, { language, number });
      }),
    );
  },
};

async function policyOf(
  { site, context }: Import,
  row: FieldRow,
  { dates }: MappedQuery,
  { language, number }: { readonly language: number; readonly number: number },
): Promise<Unnumbered | Left> {
  const title = text(row.title);
  if (!title) return refused('it has no title');
  const effective = mappedInstant(row.effective, dates, site.timeZone).at?.toISOString() ?? NO_DATE;
  return {
    own: {
      language_id: language,
      number,
      title,
      text: await worked(context, 'sanitiseHtml', text(row.text)),
      effective_at: effective,
      created_at: effective,
    },
    remarks: effective === NO_DATE ? ['it has no date: it is in force since 1970-01-01'] : [],
  };
}
