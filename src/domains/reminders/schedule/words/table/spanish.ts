import type { Table } from '../term.js';
import * as word from './entries.js';

const { every, mark, says } = word;
const ADVICE = { advice: true } as const;

/** The common words of Spanish. Accents do not count. */
export const SPANISH: Table = [
  word.unit('minute', 'minuto|minutos'),
  word.unit('hour', 'hora|horas|hrs|hs'),
  word.unit('day', 'día|días'),
  word.unit('week', 'semana|semanas|sem'),
  word.unit('month', 'mes|meses'),
  word.unit('year', 'año|años'),
  ...word.numbers(1, 'un|una|uno dos tres cuatro cinco seis siete ocho nueve diez once doce'),
  word.count(1, 'una vez|una sola vez'),
  ...word.ordinals(1, 'primer|primero segundo tercer|tercero cuarto'),
  ...word.ordinals(-1, 'último'),
  says('diario|diariamente|a diario|todos los días|cada día', every('day')),
  says('semanal|semanalmente|todas las semanas|cada semana', every('week')),
  says('mensual|mensualmente|todos los meses|cada mes', every('month')),
  says('trimestral|trimestralmente', every('month', 3)),
  says('anual|anualmente|todos los años', every('year')),
  says('un día sí y otro no|días alternos|en días alternos|día por medio', every('day', 2)),
  says('cada tercer día', every('day', 2), every('day', 3)),
  mark('every', 'cada|c/|todos los|todas las'),
  mark('per', 'al|a la|por|en el|cada'),
  mark('times', 'vez|veces'),
  mark('half', 'media'),
  mark('and', 'y|e'),
  mark('to', 'a'),
  mark('lead', 'los|el|la|las|de|por la|en la|al|de la|en|a la'),
  mark('at', 'a las|a la'),
  mark('of', 'de|del|de cada'),
  ...word.weekdays(
    'lunes|lun martes|mar miércoles|mié jueves|jue viernes|vie sábado|sábados|sáb ' +
      'domingo|domingos|dom',
  ),
  word.weekday('fin de semana|fines de semana', 6, 7),
  word.weekday('días laborables|días hábiles|entre semana', 1, 2, 3, 4, 5),
  ...word.months(
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  ),
  word.clock('12:00', 'mediodía|medio día'),
  word.clock('00:00', 'medianoche'),
  word.part('morning', 'por la mañana|en la mañana|por las mañanas|cada mañana|de la mañana'),
  word.part('afternoon', 'por la tarde|en la tarde|por las tardes|tarde'),
  word.part('night', 'por la noche|en la noche|por las noches|noche|noches'),
  says('mañana y noche|mañana y por la noche', {
    at: [
      { anchor: 'morning', relation: 'with' },
      { anchor: 'night', relation: 'with' },
    ],
  }),
  says('mañana, tarde y noche|mañana tarde y noche', {
    at: [
      { anchor: 'morning', relation: 'with' },
      { anchor: 'afternoon', relation: 'with' },
      { anchor: 'night', relation: 'with' },
    ],
  }),
  word.part('bedtime', 'al acostarse|antes de acostarse|antes de dormir|al dormir'),
  word.part('wake', 'al levantarse|al despertar|al despertarse'),
  word.meal('desayuno', 'breakfast'),
  word.meal('almuerzo', 'lunch'),
  word.meal('cena', 'dinner'),
  word.meal('comidas|las comidas|comida principal', ...word.MEALS),
  word.relation('before', 'antes de|antes del'),
  word.relation('with', 'con|en'),
  word.relation('after', 'después de|después del|tras'),
  mark('for', 'durante|por'),
  mark('until', 'hasta|hasta el'),
  mark('stop', 'y parar|y suspender|luego suspender|y luego suspender'),
  mark('doses', 'dosis|dosis en total'),
  mark('on', 'sí'),
  mark('off', 'no'),
  mark('max', 'máximo|como máximo|hasta'),
  says('según necesidad|según sea necesario|si es necesario|cuando sea necesario', {
    asNeeded: true,
  }),
  says('si hace falta|a demanda|en caso necesario|si precisa|si lo necesita', { asNeeded: true }),
  says('dosis única|una sola dosis|una sola vez|una vez', { once: true }),
  mark('take', 'tomar|tome'),
  word.form('tablet', 'tableta|tabletas|comprimido|comprimidos|pastilla|pastillas'),
  word.form('capsule', 'cápsula|cápsulas'),
  word.form('drop', 'gota|gotas'),
  says('por vía oral|con comida|con alimentos|en ayunas|con agua', ADVICE),
];
