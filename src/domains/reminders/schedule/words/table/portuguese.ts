import type { Table } from '../term.js';
import * as word from './entries.js';

const { every, mark, says } = word;
const ADVICE = { advice: true } as const;

/** 8/8 h: every 8 hours. Not 24/24 h, which is around the clock in French. */
const BY_HOURS: Table = [1, 2, 3, 4, 5, 6, 8, 10, 12, 36, 48, 72].map((hours) => {
  const by = `${hours}/${hours}`;
  const words = ['h', 'hs', 'hrs', 'horas'].flatMap((hour) => [
    `${by} ${hour}`,
    `de ${by} ${hour}`,
  ]);
  return says(words.join('|'), { interval: hours * 60 });
});

/** The common words of Portuguese, of both sides of the ocean. Accents do not count. */
export const PORTUGUESE: Table = [
  word.unit('minute', 'minuto|minutos'),
  word.unit('hour', 'hora|horas|hrs|hs'),
  word.unit('day', 'dia|dias'),
  word.unit('week', 'semana|semanas'),
  word.unit('month', 'mês|meses'),
  word.unit('year', 'ano|anos'),
  ...word.numbers(1, 'um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze'),
  word.count(1, 'uma vez|uma única vez'),
  ...word.ordinals(1, 'primeiro|primeira segundo|segunda terceiro|terceira quarto|quarta'),
  ...word.ordinals(-1, 'último|última'),
  says('diário|diariamente|todos os dias|cada dia|todo dia|todo o dia', every('day')),
  says('semanal|semanalmente|todas as semanas|toda semana', every('week')),
  says('quinzenal|quinzenalmente', every('day', 15), every('week', 2)),
  says('mensal|mensalmente|todos os meses|todo mês', every('month')),
  says('trimestral|trimestralmente', every('month', 3)),
  says('anual|anualmente|todos os anos', every('year')),
  says('dia sim dia não|dia sim, dia não|em dias alternados|dias alternados', every('day', 2)),
  mark('every', 'cada|a cada|todos os|todas as|toda|todo'),
  ...BY_HOURS,
  mark('by', 'em'),
  mark('per', 'ao|à|por|no|na|cada'),
  mark('times', 'vez|vezes'),
  mark('half', 'meia'),
  mark('and', 'e'),
  mark('to', 'a|à|até'),
  mark('lead', 'em|os|o|as|de|do|da|na|no|nas|nos|pela|aos|às|pelas'),
  mark('at', 'às|as'),
  mark('of', 'do|de cada|de'),
  // Not ter: it is thrice in the Latin of prescriptions.
  ...word.weekdays(
    'segunda|segunda_feira|segundas|segundas_feiras|seg terça|terça_feira|terças|terças_feiras ' +
      'quarta|quarta_feira|quartas|quartas_feiras|qua ' +
      'quinta|quinta_feira|quintas|quintas_feiras|qui ' +
      'sexta|sexta_feira|sextas|sextas_feiras|sex sábado|sábados|sáb domingo|domingos|dom',
  ),
  word.weekday('fim de semana|fins de semana|finais de semana|final de semana', 6, 7),
  word.weekday('dias úteis|dias de semana', 1, 2, 3, 4, 5),
  ...word.months(
    'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  ),
  word.clock('12:00', 'meio dia'),
  word.clock('00:00', 'meia noite'),
  word.part('morning', 'manhã|de manhã|pela manhã|manhãs'),
  word.part('afternoon', 'tarde|à tarde|de tarde'),
  word.part('night', 'noite|à noite|de noite|noites'),
  word.part('bedtime', 'ao deitar|antes de dormir|ao dormir|antes de deitar'),
  word.part('wake', 'ao acordar|ao levantar'),
  word.meal('café da manhã|pequeno almoço', 'breakfast'),
  word.meal('almoço', 'lunch'),
  word.meal('jantar', 'dinner'),
  word.meal('refeições|as refeições|refeição', ...word.MEALS),
  word.relation('before', 'antes|antes de|antes do|antes das'),
  word.relation('with', 'com|no|ao'),
  word.relation('after', 'depois de|após|depois do|depois das|após as'),
  mark('for', 'durante|por'),
  mark('until', 'até|até o|até a|até ao'),
  mark('stop', 'e parar|e suspender|depois parar|e depois parar'),
  mark('doses', 'doses|dose no total|doses no total'),
  mark('on', 'sim'),
  mark('off', 'não'),
  mark('max', 'máximo|no máximo|até'),
  says('se necessário|se nec|quando necessário|se preciso|em caso de necessidade', {
    asNeeded: true,
  }),
  says('conforme necessário|conforme a necessidade|caso necessário', { asNeeded: true }),
  says('dose única|uma única vez|uma vez', { once: true }),
  mark('take', 'tomar|tome'),
  word.form('tablet', 'comprimido|comprimidos'),
  word.form('capsule', 'cápsula|cápsulas'),
  word.form('drop', 'gota|gotas'),
  says('por via oral|com comida|em jejum|com água|via oral', ADVICE),
];
