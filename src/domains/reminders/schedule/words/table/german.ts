import type { Table } from '../term.js';
import * as word from './entries.js';

const { every, mark, note, says } = word;

/** Once to twelve times, as one word. */
const TIMES = 'ein|ei zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'
  .split(' ')
  .map((stem, i) =>
    word.count(
      i + 1,
      stem
        .split('|')
        .map((one) => `${one}mal`)
        .join('|'),
    ),
  );

/** The common words of German. Umlauts may be written as ae, oe, ue, or without the e. */
export const GERMAN: Table = [
  word.unit('minute', 'minute|minuten'),
  word.unit('hour', 'stunde|stunden|std|stdn'),
  word.unit('day', 'tag|tage|tagen'),
  word.unit('week', 'woche|wochen|wo'),
  word.unit('month', 'monat|monate|monaten|monats'),
  word.unit('year', 'jahr|jahre|jahren|jahres'),
  ...word.numbers(
    1,
    'ein|eine|einen|eins|einer zwei drei vier fünf|fuenf sechs sieben acht neun zehn elf ' +
      'zwölf|zwoelf',
  ),
  ...TIMES,
  ...word.ordinals(
    1,
    'erster|ersten|erste|erstes zweiter|zweiten|zweite dritter|dritten|dritte ' +
      'vierter|vierten|vierte',
  ),
  ...word.ordinals(-1, 'letzter|letzten|letzte'),
  ...word.dated(() => '.'),
  says('täglich|taeglich|tgl|tägl|taegl|jeden tag', every('day')),
  says('wöchentlich|wöch|woechentlich|jede woche', every('week')),
  says('monatlich|jeden monat', every('month')),
  says('vierteljährlich|vierteljaehrlich|quartalsweise|jedes quartal', every('month', 3)),
  says('halbjährlich|halbjaehrlich', every('month', 6)),
  says('jährlich|jaehrlich|jedes jahr', every('year')),
  says('stündlich|stuendlich|jede stunde', { interval: 60 }),
  says('halbstündlich|halbstuendlich', { interval: 30 }),
  says('zweitägig|jeden zweiten tag|jeden 2. tag|alle zwei tage', every('day', 2)),
  says('zweiwöchentlich|14 tägig|vierzehntägig|vierzehntaegig|14 taegig', every('week', 2)),
  mark('every', 'jede|jeden|jedes|alle|jeder|jedem'),
  mark('other', 'andere|anderen'),
  mark('per', 'am|pro|je|in der|im|die|den'),
  mark('times', 'mal|mals'),
  mark('hourly', 'stündlich|stuendlich|stdl'),
  mark('half', 'halbe'),
  mark('and', 'und|sowie'),
  mark('to', 'bis'),
  mark('lead', 'am|an|der|dem|den|die|das|zum|zur|in der|von|vom|im'),
  mark('at', 'um'),
  mark('of', 'im|des|jedes|jeden'),
  mark('monthwise', 'des monats|im monat|jeden monats'),
  ...word.weekdays(
    'montag|montags|mo|montagen dienstag|dienstags|di mittwoch|mittwochs|mi ' +
      'donnerstag|donnerstags|do freitag|freitags|fr samstag|samstags|sonnabend|sonnabends|sa ' +
      'sonntag|sonntags|so',
  ),
  word.weekday('werktags|wochentags|werktage|an werktagen', 1, 2, 3, 4, 5),
  word.weekday('wochenende|wochenenden|am wochenende', 6, 7),
  ...word.months(
    'januar|jänner februar märz|maerz april mai juni juli august september oktober november ' +
      'dezember',
  ),
  word.clock('12:00', 'mittag|mittags'),
  word.clock('00:00', 'mitternacht|um mitternacht'),
  word.part('morning', 'morgens|früh|frueh|am morgen'),
  word.part('morning', 'jeden morgen|in der früh'),
  word.part('afternoon', 'nachmittag|nachmittags'),
  word.part('evening', 'abend|abends'),
  word.part('night', 'nacht|nachts|zur nacht|zn|z n'),
  word.part('bedtime', 'vor dem schlafengehen|beim zubettgehen|vor dem schlafen'),
  word.part('wake', 'nach dem aufstehen|beim aufstehen'),
  word.meal('frühstück|fruehstueck', 'breakfast'),
  word.meal('mittagessen', 'lunch'),
  word.meal('abendessen', 'dinner'),
  word.meal('mahlzeiten|mahlzeit|den mahlzeiten', ...word.MEALS),
  word.relation('before', 'vor|vor dem'),
  word.relation('with', 'zu|mit|zum|beim'),
  word.relation('after', 'nach|nach dem'),
  mark('for', 'für|fuer|über|lang'),
  mark('until', 'bis|bis zum|bis einschließlich'),
  mark('stop', 'dann absetzen|danach absetzen|dann stopp'),
  mark('for', 'insgesamt'),
  mark('doses', 'dosen|dosis'),
  mark('on', 'einnahme'),
  mark('off', 'pause'),
  mark('max', 'maximal|max|höchstens|hoechstens'),
  says('bei bedarf|nach bedarf|bei bed|b bed|b.bed|falls nötig|wenn nötig|falls noetig', {
    asNeeded: true,
  }),
  says('einmalig|nur einmal|einzeldosis', { once: true }),
  mark('take', 'nehmen'),
  word.form('tablet', 'tablette|tabletten|tbl'),
  word.form('capsule', 'kapsel|kapseln'),
  word.form('drop', 'tropfen'),
  note(
    'advice',
    'mit wasser|nüchtern|nuechtern|oral|vor dem essen|nach dem essen|zum essen|mit essen',
  ),
  ...word.numbers(13, 'dreizehn vierzehn fünfzehn'),
  ...word.numbers(20, 'zwanzig'),
  ...word.numbers(21, 'einundzwanzig'),
  ...word.numbers(28, 'achtundzwanzig'),
  ...word.numbers(30, 'dreißig'),
  word.decimal('0.5', 'halbe|eine halbe|halber|ein halber|halb|halben|einen halben|ein halbes'),
  word.decimal('0.25', 'viertel|eine viertel|ein viertel'),
  word.decimal('1.5', 'anderthalb|eineinhalb|einundeinhalb'),
  word.decimal('2.5', 'zweieinhalb'),
  mark('each', 'je|jeweils'),
  mark('another', 'eine weitere|ein weiterer|noch eine'),
  mark('except', 'außer|außer am|ausgenommen'),
  mark('or', 'oder'),
  mark('then', 'dann|danach|anschließend|gefolgt von'),
  mark('break', 'pause|einnahmepause|pausieren'),
  mark('of', 'von'),
  mark('cycle', 'zyklus|tage zyklus'),
  says('alle acht tage|alle 8 tage', every('week')),
  says('jeden abend', { at: [{ anchor: 'evening', relation: 'with' }], ...every('day') }),
  says('jede nacht', { at: [{ anchor: 'night', relation: 'with' }], ...every('day') }),
  word.part(
    'bedtime',
    'vor dem zubettgehen|zum schlafengehen|vorm schlafengehen|vor dem einschlafen',
  ),
  word.part('evening', 'am abend'),
  word.part('night', 'zur nacht|in der nacht'),
  says('bei schmerzen|bei starken schmerzen|bei fieber|bei übelkeit|bei atemnot', {
    asNeeded: true,
  }),
  says('bei kopfschmerzen|bei unruhe|bei schlafstörungen|wenn erforderlich|bei bedarf', {
    asNeeded: true,
  }),
  mark('max', 'nicht mehr als|maximal bis'),
  mark(
    'take',
    'einnehmen|einzunehmen|nehmen sie|auftragen|inhalieren|spritzen|anwenden|verabreichen',
  ),
  mark('take', 'geben|schlucken|lutschen|kauen|injizieren|sprühen|einsprühen|kleben|träufeln'),
  word.form('tablet', 'tabl|tab|tabs|dragee|dragees|filmtablette|filmtabletten'),
  word.form('capsule', 'kps|kaps'),
  word.form('drop', 'tropf|trpf|tr'),
  word.form('puff', 'hub|hübe|hüben|inhalation|inhalationen'),
  word.form('spray', 'sprühstoß|sprühstöße|sprühstöße'),
  word.form('piece', 'stück|stk'),
  word.form('sachet', 'beutel'),
  word.form('patch', 'pflaster'),
  word.form('unit', 'einheit|einheiten'),
  word.form('tablespoon', 'esslöffel|el'),
  word.form('teaspoon', 'teelöffel|tl'),
  word.form('spoon', 'messlöffel'),
  word.form('suppository', 'zäpfchen|supp'),
  word.form('ampoule', 'ampulle|ampullen'),
  word.form('application', 'anwendung|anwendungen'),
  word.form('injection', 'injektion|injektionen|spritze'),
  word.form('mg', 'milligramm'),
  word.form('mcg', 'mikrogramm'),
  word.form('g', 'gramm'),
  word.form('ml', 'milliliter'),
  note('route', 'subkutan|sublingual|unter die zunge|rektal|inhalativ|intramuskulär|zum einnehmen'),
  note(
    'site',
    'in jedes nasenloch|in beide nasenlöcher|in beide augen|in jedes auge|ins rechte auge',
  ),
  note(
    'site',
    'in das rechte auge|ins linke auge|in das linke auge|auf die haut|auf die betroffene stelle',
  ),
  note(
    'site',
    'auf die betroffenen stellen|auf die betroffenen hautstellen|in jedes ohr|in das rechte ohr',
  ),
  note(
    'indication',
    'gegen schmerzen|gegen fieber|für den blutdruck|gegen bluthochdruck|zum schlafen',
  ),
  note('indication', 'für das herz|für die schilddrüse|gegen husten|gegen übelkeit'),
  note(
    'advice',
    'mit einem glas wasser|mit viel wasser|auf nüchternen magen|mit dem essen|unzerkaut',
  ),
  note(
    'advice',
    'unabhängig von den mahlzeiten|immer zur gleichen zeit|zur gleichen zeit|dünn|nach einer mahlzeit',
  ),
  note(
    'advice',
    'jeden tag zur gleichen zeit|zu einer mahlzeit|vor einer mahlzeit|mit etwas wasser',
  ),
  mark('max', 'bis zu|bis maximal'),
];
