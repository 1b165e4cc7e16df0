import type { Table } from '../term.js';
import { ENGLISH_FORMS } from './english-forms.js';
import { ENGLISH_NOTES } from './english-notes.js';
import {
  at,
  clock,
  count,
  dated,
  decimal,
  EVEN,
  eachHour,
  every,
  everyOne,
  MEALS,
  mark,
  meal,
  months,
  needed,
  numbers,
  ODD,
  oneMeal,
  ordinals,
  part,
  relation,
  SINGLE,
  says,
  unit,
  units,
  ways,
  weekday,
  weekdays,
} from './entries.js';

const suffix = (value: number) =>
  [11, 12, 13].includes(value) ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');

const LENGTHS: Table = [
  unit('minute', 'minute|min'),
  units('minute', 'minutes|mins'),
  unit('hour', 'hour|hr'),
  units('hour', 'hours|hrs'),
  unit('day', 'day'),
  units('day', 'days'),
  unit('week', 'week|wk|w'),
  units('week', 'weeks|wks'),
  unit('month', 'month|mth|mo|calendar month'),
  units('month', 'months|mths|mos'),
  unit('year', 'year|yr'),
  units('year', 'years|yrs'),
  // q3m: of minutes or of months.
  [{ is: 'unit', unit: 'minute', brief: true }, 'm'],
  [{ is: 'unit', unit: 'month', brief: true }, 'm'],
];

const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ONES = 'one two three four five six seven eight nine'.split(' ');

const COUNTS: Table = [
  ...numbers(1, 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen'),
  ...numbers(15, 'fifteen sixteen seventeen eighteen nineteen'),
  ...TENS.flatMap((ten, i) =>
    numbers(10 * (i + 2), [ten, ...ONES.map((one) => `${ten}_${one}|${ten}-${one}`)].join(' ')),
  ),
  count(1, 'once|one time|just once|onec'),
  decimal('0.5', 'half|half a|half of a|a half|one half|one half of a|one-half|one-half of a'),
  decimal('0.25', 'quarter|a quarter|one quarter|quarter of a|a quarter of a'),
  decimal('0.75', 'three quarters|three quarters of a'),
  decimal('1', 'i'),
  decimal('2', 'ii'),
  decimal('3', 'iii'),
  decimal('1.5', 'one and a half|one and one half|one and one-half|1 and a half|1 and 1/2|1 & 1/2'),
  decimal('2.5', 'two and a half|two and one half|2 and a half|2 and 1/2|2 & 1/2'),
  decimal('3.5', 'three and a half'),
  count(2, 'twice|twise|twcie'),
  count(3, 'thrice'),
  ...ordinals(1, 'first second third fourth fifth sixth seventh eighth ninth tenth'),
  ...ordinals(-1, 'last|final'),
  ...dated(suffix),
];

const PERIODS: Table = [
  says('daily|everyday|dialy|daliy|dayly|every single day', every('day')),
  says('fortnightly|fourtnightly|biweekly|bi weekly|eow|e o w|every other wk', every('week', 2)),
  says('q other week|qow|q o w|every fortnight|each fortnight|once a fortnight', every('week', 2)),
  says('alternate weeks|on alternate weeks', every('week', 2)),
  says('weekly|q week|qweek|qwk|qwkly', every('week')),
  says('q month|qmonth|qmo|q monthly|monthly', every('month')),
  says('triweekly|tri weekly', every('week', 3), { count: 3, per: 'week' }),
  says('semiweekly|semi weekly', { count: 2, per: 'week' }),
  says('bimonthly|bi monthly', every('month', 2), { count: 2, per: 'month' }),
  says('semimonthly|semi monthly', { count: 2, per: 'month' }),
  says('quarterly', every('month', 3)),
  says('half yearly|semiannually|semi annually|semiannual|semi annual', every('month', 6)),
  says('biannually|bi annually|biannual', every('month', 6), every('year', 2)),
  says('biennially|biennial', every('year', 2)),
  says('yearly|annually|annual', every('year')),
  says('q noon|qnoon', { ...at('12:00'), ...every('day') }),
  eachHour('hourly'),
  says('half hourly', { interval: 30 }),
  says('every quarter|each quarter|once a quarter', every('month', 3)),
  says('every other fortnight', every('week', 4)),
  says('alternate day|alternate days|on alternate days', every('day', 2)),
  says('alternating days|every alternate day|alt days|alt day', every('day', 2)),
  says('alternate months|on alternate months', every('month', 2)),
  mark('nights', 'nights|night'),
  mark('dayParts', 'nights|mornings|evenings|afternoons'),
  says(
    'nightly|per night|a night|every night|each night|nights|qnight|q night|every single night',
    { ...at('night'), ...every('day') },
  ),
  everyOne('every|each|evry'),
  mark('other', 'other|alternate|alternative|alternating'),
  mark('per', 'a|an|per|in|in a|each|every|in each'),
  mark('times', 'time|times|tymes'),
  mark('in', 'in|within'),
  mark('least', 'at least|approximately|about|leave at least|leave'),
  mark('further', 'more|further|additional|consecutive|full'),
  mark('hourly', 'hourly|hrly'),
  mark('spaced', ways('hours|hrs', 'apart|between doses|between each dose')),
  mark('spacedBy', ways('with a|with an|with|at an|at', 'minimum interval of|interval of')),
  mark('spacedBy', 'separated by|spaced by'),
  mark('half', 'half'),
  mark('or', 'or'),
  mark('each', 'each'),
  mark('another', 'another|another one|one more'),
  mark('otherDays', 'other days|all other days|the other days|all the other days|remaining days'),
  mark('otherDays', 'the remaining days|rest of the week|the rest of the week'),
  mark('otherDays', 'the rest of the days|rest of week|all remaining days|other days of the week'),
  mark('otherDays', 'all other days of the week|the other days of the week|other days in the week'),
  mark('otherDays', 'remaining days of the week|the remaining days of the week|otherwise'),
  mark('except', 'except|excluding|but|nil|skip|omit|none|leave out'),
  mark(
    'except',
    ways(
      'except|but not|and not|not|but none|and none|none|no dose|no tablets|nothing|skip|omit',
      'on|at|in|in the',
    ),
  ),
  mark('not', 'not'),
  says(ways('|on|on the', 'even|even numbered', 'days|dates', '|of the month'), {
    monthDays: EVEN,
  }),
  says(ways('|on|on the', 'odd|odd numbered', 'days|dates', '|of the month'), { monthDays: ODD }),
];

const DAYS: Table = [
  says('end of month|end of the month|month end|end of each month', {
    monthDays: [-1],
  }),
  ...weekdays(
    'monday|mondays|mon|mons tuesday|tuesdays|tue|tues wednesday|wednesdays|wed|weds ' +
      'thursday|thursdays|thu|thur|thurs friday|fridays|fri|fris saturday|saturdays|sat|sats ' +
      'sunday|sundays|sun|suns',
  ),
  weekday('tu', 2),
  weekday('th', 4),
  weekday('sa', 6),
  weekday('su', 7),
  weekday('weekdays|weekday|working days|workdays|business days|week days', 1, 2, 3, 4, 5),
  weekday('weekend|weekends|week ends', 6, 7),
  weekday('m-f|m–f', 1, 2, 3, 4, 5),
  weekday('t/th|tu/th', 2, 4),
  weekday('mwf|m w f|m/w/f|m, w, f|m,w,f', 1, 3, 5),
  weekday('t/th/sat|tu/th/sat|t/th/sa|t/th/s|t th s', 2, 4, 6),
  ...months(
    'january|jan february|feb march|mar april|apr may june|jun july|jul august|aug ' +
      'september|sept|sep october|oct november|nov december|dec',
  ),
  mark('monthwise', 'monthly'),
  mark('lead', 'on|the|in|on the|in the|during the|of the|on a|on every|on each'),
  mark('at', 'at'),
  mark('of', 'of|in|of the|in the'),
  mark('and', 'and|plus|and also|and again'),
  mark('to', 'to|through|thru|until'),
  mark('from', 'from|starting|starting on|starting from|beginning on|beginning|from the'),
  mark('from', 'starting at'),
];

const TIMES: Table = [
  says(
    'with morning and evening meals|with breakfast and evening meals',
    at('breakfast', 'dinner'),
  ),
  says('morning noon and night|morning noon & night', at('morning', '12:00', 'night')),
  part('breakfast', 'bbf', 'before'),
  clock('12:00', 'noon|midday|mid day|12 noon|noontime'),
  clock('00:00', 'midnight|mid night|12 midnight'),
  part('morning', 'morning|mornings|moring|mornign|am|first thing in the morning'),
  part('morning', 'first thing each morning|first thing every morning|first thing'),
  part('afternoon', 'afternoon|afternoons'),
  part('evening', 'evening|evenings|pm'),
  part('night', 'night|nights|nigth|nighttime|night time'),
  part('bedtime', 'bedtime|bed time|bedtimes|before bed|before bedtime|before sleep|bed'),
  part('bedtime', 'just before bed|just before bedtime|right before bed|right before bedtime'),
  part('bedtime', 'when you go to bed|prior to bed|prior to bedtime|before going to sleep'),
  part('bedtime', 'before you go to bed|going to bed|on going to bed|hour of sleep'),
  part('bedtime', 'at hour of sleep|before sleeping|before going to bed|when going to bed'),
  part('wake', 'waking|on waking|upon waking|waking up|on waking up|when waking up|when i wake up'),
  part('wake', 'when you wake up|when you wake|as soon as you wake up|when i wake|rising'),
  part('wake', 'on rising|upon rising|after waking|after waking up'),
  meal('breakfast|bfast|breakfasts|brekkie', 'breakfast'),
  meal('lunch|lunchtime|lunch time|luncheon', 'lunch'),
  meal('dinner|supper|dinnertime|evening meal|dinner time|suppertime', 'dinner'),
  meal('meals|mealtimes|all meals|main meals|meal times', ...MEALS),
  oneMeal('meal|mealtime|meal time'),
  relation('before', 'before|prior to|ahead of|pre|just before'),
  relation('with', 'with|at|during|along with'),
  relation('after', 'after|following|post|just after'),
];

const COURSES: Table = [
  mark('for', 'for|for the next|for a total of|for up to|for a maximum of|for no more than'),
  mark('doses', 'doses|dose|divided doses|equal doses|separate doses|equally divided doses'),
  mark('divided', 'in|into|divided in|divided into|split in|split into|divided over|given in'),
  mark('inAll', 'doses in total|doses in all|dose in total'),
  mark('until', 'until|till|til|up to and including'),
  mark('on', 'on'),
  mark('off', 'off'),
  mark('stop', 'then stop|and stop|and then stop|stop|then stop for|then stop taking it for'),
  mark('stop', 'then off for|then nothing for'),
  mark('break', 'break|break from|rest|off|free|interval|gap|pause'),
  mark('break', ways('pill|tablet|patch|ring|hormone', 'free', '|interval|week|break|days')),
  mark('today', 'today|initially|as a loading dose|loading dose'),
  mark('onward', 'onward|onwards|on wards|and onwards|and beyond|and after|and thereafter'),
  mark('then', 'then|followed by|and then|then have|then a|then take a|thereafter|after that'),
  mark('then', 'afterwards|increasing to|reducing to|decreasing to'),
  mark('outOf', 'out of|out of every|out of each'),
  mark('repeat', 'repeat|and repeat|repeat cycle|restart|resume|start again'),
  mark('cycle', 'cycle|cycles'),
  mark('max', 'nte|max|maximum|max of|maximum of|up to|at most|no more than|not more than'),
  mark('max', 'max dose|maximum dose|with a maximum of|to a maximum of|no more|upto'),
  mark('max', 'up to a maximum of|not to exceed more than|maximum dose of|max dose of'),
  mark('max', 'do not take more than|do not use more than|never more than|not exceeding'),
  mark('max', "must not exceed|not to exceed|do not exceed|don't take more than|don't exceed"),
];

const WHEN =
  'as|when|if|whenever|where|as often as|as and when|only as|only when|only if|when and as|if and when';

const REPEAT = 'repeat|be repeated|repeat dose|be repeated dose';
const SPELT = ['', 'one', 'two', '', 'four', '', 'six'];
const hoursOf = (hours: number) =>
  [`${hours} hours`, `${hours} hrs`, `${hours} hour`, `${SPELT[hours]} hours`].join('|');

const NEEDS: Table = [
  needed(ways(WHEN, 'needed|required|necessary|req|reqd')),
  needed('on demand|as need be|prn only|only prn|on an as needed basis|as per need'),
  needed('as per requirement|when i need it|if you need it|when you need it|as you need it'),
  // What is done now and then.
  says(
    ways(
      '|15 minutes|20 minutes|30 minutes|1 hour|one hour|an hour',
      'before|prior to',
      'exercise|exertion|flying|flight|a flight|travel|travelling|traveling|a journey',
    ),
    { neededOrFor: true },
  ),
  says(
    ways(
      '30 minutes|1 hour|one hour|an hour',
      'before|prior to',
      'sex|sexual activity|intercourse',
    ),
    { neededOrFor: true },
  ),
  ...[1, 2, 4, 6].flatMap((hours) => [
    says(
      [
        ways('|may|can', REPEAT, 'after|in', hoursOf(hours), '|if needed|if required|if necessary'),
        ways('|may|can', REPEAT, 'after|in', hoursOf(hours), 'as needed|prn'),
      ].join('|'),
      { asNeeded: true, interval: 60 * hours, repeats: true, repeatsOnce: true },
    ),
    says(
      [
        ways('may|can', REPEAT, 'every', hoursOf(hours)),
        ways('|may|can', REPEAT, 'every', hoursOf(hours), 'as needed|prn|if needed'),
      ].join('|'),
      { asNeeded: true, interval: 60 * hours, repeats: true },
    ),
  ]),
  needed('for breakthrough pain|for breakthrough'),
  says('as a one off dose|as a one off|one off dose|as a one time dose|one off', { once: true }),
  says('one time only|onetime|as a once off dose|one dose only|1 dose only', { once: true }),
  says('one time dose|single time|once off|immediately|now|straight away|at once', { once: true }),
  says(
    'as a single dose|as one dose|as one single dose|as a single oral dose|in a single dose',
    SINGLE,
  ),
  says('together|all at once|in one go|all together|all in one go', { atOnce: true }),
  says('single dose|one single dose|a single dose|single oral dose', SINGLE),
];

/** The words of English. */
export const ENGLISH: Table = [
  ...LENGTHS,
  ...COUNTS,
  ...PERIODS,
  ...DAYS,
  ...TIMES,
  ...COURSES,
  ...NEEDS,
  ...ENGLISH_FORMS,
  ...ENGLISH_NOTES,
];

/** What apps write together: everyotherday, timesaday. */
export const ENGLISH_GLUED =
  'once one twice three four times time x a day daily every other week weekly month year hour ' +
  'hours days weeks months as needed per';
