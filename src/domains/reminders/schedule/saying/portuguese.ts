import type { Words } from './words.js';

const some = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** How schedules are said in Portuguese. */
export const PORTUGUESE: Words = {
  once: 'uma vez',
  everyDay: 'todos os dias',
  everyDays: (n) => `a cada ${n} dias`,
  everyWeek: 'toda semana',
  everyWeeks: (n) => `a cada ${n} semanas`,
  everyMonth: 'todo mês',
  everyMonths: (n) => `a cada ${n} meses`,
  everyHours: (n) => (n === 1 ? 'a cada hora' : `a cada ${n} horas`),
  everyMinutes: (n) => `a cada ${n} minutos`,
  afterDose: (time) => `${time} após a última dose`,
  hours: (n) => some(n, 'hora', 'horas'),
  minutes: (n) => some(n, 'minuto', 'minutos'),
  cycle: (on, off) => `${some(on, 'dia', 'dias')} sim, ${some(off, 'dia', 'dias')} não`,
  asNeeded: 'se necessário',
  atMost: (n) => `no máximo ${n} por dia`,
  apart: (time) => `com pelo menos ${time} de intervalo`,
  on: (weekdays) => `em ${weekdays}`,
  weekdays: [
    'segunda-feira',
    'terça-feira',
    'quarta-feira',
    'quinta-feira',
    'sexta-feira',
    'sábado',
    'domingo',
  ],
  onDays: (days) => `no dia ${days} do mês`,
  lastDay: 'no último dia',
  at: (times) => `às ${times}`,
  and: 'e',
  anchors: [
    ['ao acordar', 'antes de acordar', 'depois de acordar'],
    ['com o café da manhã', 'antes do café da manhã', 'depois do café da manhã'],
    ['com o almoço', 'antes do almoço', 'depois do almoço'],
    ['com o jantar', 'antes do jantar', 'depois do jantar'],
    ['ao deitar', 'antes de deitar', 'depois de deitar'],
  ],
  count: (n) => `${some(n, 'dose', 'doses')} no total`,
  forDays: (n) => `por ${some(n, 'dia', 'dias')}`,
  forMonths: (n) => `por ${some(n, 'mês', 'meses')}`,
  until: (date) => `até ${date}`,
  firstDays: (n) => (n === 1 ? 'no primeiro dia' : `nos primeiros ${n} dias`),
  nth: (number, weekday) =>
    weekday.endsWith('o')
      ? `no ${NTH.at(number)} ${weekday}`
      : `na ${NTH.at(number)?.replace(/o$/, 'a')} ${weekday}`,
  from: (date) => `a partir de ${date}`,
  upTo: (least, most) => `${least} a ${most}`,
  forms: {
    tablet: ['comprimido', 'comprimidos'],
    capsule: ['cápsula', 'cápsulas'],
    pill: ['pílula', 'pílulas'],
    lozenge: ['pastilha', 'pastilhas'],
    film: ['filme', 'filmes'],
    piece: ['unidade', 'unidades'],
    drop: ['gota', 'gotas'],
    puff: ['inalação', 'inalações'],
    pump: ['acionamento', 'acionamentos'],
    spray: ['jato', 'jatos'],
    patch: ['adesivo', 'adesivos'],
    sachet: ['saqueta', 'saquetas'],
    suppository: ['supositório', 'supositórios'],
    ampoule: ['ampola', 'ampolas'],
    injection: ['injeção', 'injeções'],
    application: ['aplicação', 'aplicações'],
    spoon: ['colher', 'colheres'],
    teaspoon: ['colher de chá', 'colheres de chá'],
    tablespoon: ['colher de sopa', 'colheres de sopa'],
    unit: ['unidade', 'unidades'],
  },
};

const NTH = ['', 'primeiro', 'segundo', 'terceiro', 'quarto', 'quinto', 'último'];
