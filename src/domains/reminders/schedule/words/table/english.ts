import type { Table } from '../term.js';
import {
  clock,
  count,
  dated,
  every,
  form,
  MEALS,
  mark,
  meal,
  months,
  numbers,
  ordinals,
  part,
  relation,
  says,
  unit,
  weekday,
  weekdays,
} from './entries.js';

const suffix = (value: number) =>
  [11, 12, 13].includes(value) ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');

const LENGTHS: Table = [
  unit('minute', 'minute|minutes|min|mins'),
  unit('hour', 'hour|hours|hr|hrs'),
  unit('day', 'day|days'),
  unit('week', 'week|weeks|wk|wks|w'),
  unit('month', 'month|months|mth|mths|mo|mos'),
  unit('year', 'year|years|yr|yrs'),
  // q3m: of minutes or of months.
  unit('minute', 'm'),
  unit('month', 'm'),
];

const COUNTS: Table = [
  ...numbers(1, 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen'),
  ...numbers(15, 'fifteen'),
  ...numbers(20, 'twenty twenty_one'),
  ...numbers(24, 'twenty_four'),
  ...numbers(28, 'twenty_eight'),
  ...numbers(30, 'thirty'),
  ...numbers(48, 'forty_eight'),
  ...numbers(60, 'sixty'),
  ...numbers(90, 'ninety'),
  count(1, 'once|one time'),
  count(2, 'twice'),
  count(3, 'thrice'),
  ...ordinals(1, 'first second third fourth fifth sixth seventh eighth ninth tenth'),
  ...ordinals(-1, 'last|final'),
  ...dated(suffix),
];

const PERIODS: Table = [
  says('daily|everyday|dialy|daliy|dayly', every('day')),
  says('fortnightly|fourtnightly|biweekly|bi weekly', every('week', 2)),
  says('weekly', every('week')),
  says('triweekly|tri weekly', every('week', 3), { count: 3, per: 'week' }),
  says('semiweekly|semi weekly', { count: 2, per: 'week' }),
  says('monthly', every('month')),
  says('bimonthly|bi monthly', every('month', 2), { count: 2, per: 'month' }),
  says('semimonthly|semi monthly', { count: 2, per: 'month' }),
  says('quarterly', every('month', 3)),
  says('half yearly|semiannually|semi annually|semiannual|semi annual', every('month', 6)),
  says('biannually|bi annually|biannual', every('month', 6), every('year', 2)),
  says('biennially|biennial', every('year', 2)),
  says('yearly|annually|annual', every('year')),
  says('hourly', { interval: 60 }),
  says('half hourly', { interval: 30 }),
  says('every fortnight|each fortnight|once a fortnight', every('week', 2)),
  says('every quarter|each quarter|once a quarter', every('month', 3)),
  says('every other fortnight', every('week', 4)),
  says(
    'alternate day|alternate days|on alternate days|alternating days|every alternate day',
    every('day', 2),
  ),
  says('alternate weeks|on alternate weeks', every('week', 2)),
  says('alternate months|on alternate months', every('month', 2)),
  says('nightly|every night|each night|nights', {
    at: [{ anchor: 'night', relation: 'with' }],
    ...every('day'),
  }),
  mark('every', 'every|each|evry'),
  mark('other', 'other|alternate|alternative'),
  mark('per', 'a|an|per|in|in a|each|every|in each'),
  mark('times', 'time|times|tymes'),
  mark('in', 'in|within'),
  mark('hourly', 'hourly|hrly'),
  mark('half', 'half'),
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
  weekday('weekdays|weekday|working days|workdays|business days|week days', 1, 2, 3, 4, 5),
  weekday('weekend|weekends|week ends', 6, 7),
  weekday('mwf|m w f|m/w/f', 1, 3, 5),
  ...months(
    'january|jan february|feb march|mar april|apr may june|jun july|jul august|aug ' +
      'september|sept|sep october|oct november|nov december|dec',
  ),
  mark('monthwise', 'monthly'),
  mark('lead', 'on|the|in|on the|in the|during the|of the'),
  mark('at', 'at'),
  mark('of', 'of|in|of the|in the'),
  mark('and', 'and|plus|and also|and again'),
  mark('to', 'to|through|thru|until'),
  mark('lead', 'from'),
];

const TIMES: Table = [
  clock('12:00', 'noon|midday|mid day|12 noon|noontime'),
  clock('00:00', 'midnight|mid night|12 midnight'),
  part('morning', 'morning|mornings|am'),
  part('afternoon', 'afternoon|afternoons'),
  part('evening', 'evening|evenings|pm'),
  part('night', 'night|nights|nighttime|night time'),
  part('bedtime', 'bedtime|bed time|bedtimes|before bed|before bedtime|before sleep'),
  part('bedtime', 'before sleeping|before going to bed|before going to sleep|when going to bed'),
  part('wake', 'waking|on waking|upon waking|waking up|on waking up|when waking up|when i wake up'),
  part('wake', 'rising|on rising|upon rising|after waking|after waking up'),
  meal('breakfast|bfast|breakfasts', 'breakfast'),
  meal('lunch|lunchtime|lunch time|luncheon', 'lunch'),
  meal('dinner|supper|dinnertime|evening meal|dinner time', 'dinner'),
  meal('meals|meal|mealtimes|mealtime|all meals|main meals', ...MEALS),
  meal('meal times|meal time', ...MEALS),
  relation('before', 'before|prior to|ahead of'),
  relation('with', 'with|at|during|along with'),
  relation('after', 'after|following'),
];

const COURSES: Table = [
  mark('for', 'for|for the next|for a total of'),
  mark('doses', 'doses|dose'),
  mark('until', 'until|till|til|up to and including'),
  mark('on', 'on'),
  mark('off', 'off'),
  mark('stop', 'then stop|and stop|and then stop'),
  mark('max', 'max|maximum|max of|maximum of|up to|at most|no more than|not more than'),
  mark('max', "not to exceed|do not exceed|don't exceed"),
];

const NEEDS: Table = [
  says('as needed|when needed|if needed|as and when needed|whenever needed', { asNeeded: true }),
  says('only as needed|only when needed|only if needed|where needed', { asNeeded: true }),
  says('as required|when required|if required|as and when required', { asNeeded: true }),
  says('only when required|only if required|whenever required', { asNeeded: true }),
  says('if necessary|when necessary|as necessary|on demand|as need be', { asNeeded: true }),
  says('on an as needed basis|as per need|as per requirement|when i need it', { asNeeded: true }),
  says('once|one time|onetime|once only|only once|one off|one time only', { once: true }),
  says('single dose|one dose|one dose only|a single dose|as a single dose', { once: true }),
  says('just once|one time dose|single time|once off|immediately|now', { once: true }),
];

const ADVICE = { advice: true } as const;

const FORMS: Table = [
  mark('take', 'take|give|use|apply|inhale|inject|instill|chew|swallow|insert|drink|dissolve'),
  form('tablet', 'tablet|tablets|tab|tabs|tablet s'),
  form('capsule', 'capsule|capsules|cap|caps'),
  form('pill', 'pill|pills'),
  form('drop', 'drop|drops|gtt|gtts'),
  form('puff', 'puff|puffs|inhalation|inhalations'),
  form('spray', 'spray|sprays'),
  form('unit', 'unit|units'),
  form('spoon', 'teaspoon|teaspoons|tsp|tablespoon|tablespoons|tbsp|spoon|spoons|spoonful'),
  form('sachet', 'sachet|sachets'),
  form('patch', 'patch|patches'),
  says('only', ADVICE),
  says('by mouth|orally|oral|with water|with a glass of water|with food|with milk', ADVICE),
  says('after food|before food|after eating|before eating|on an empty stomach', ADVICE),
  says('on empty stomach|empty stomach|with or without food|with plenty of water', ADVICE),
  says('sublingually|under the tongue|subcutaneously|topically', ADVICE),
  says('for pain|for fever|for headache|for nausea|for sleep|for anxiety', ADVICE),
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
  ...FORMS,
];

/** What apps write together: everyotherday, timesaday. */
export const ENGLISH_GLUED =
  'once one twice three four times time x a day daily every other week weekly month year hour ' +
  'hours days weeks months as needed per';
