/**
 * Polls that `importPolls` imports when no address is configured, in the form of that address. The
 * first has no options: it is answered by its number alone, as apps do that send nothing else.
 */
export const SAMPLE_POLLS = [
  {
    id: 'sample-panel',
    question: 'Would you like to be asked more often?',
    statement: 'I may be asked about my wellbeing once a month.',
  },
  {
    id: 'sample-wellbeing',
    question: 'How did you sleep last night?',
    options: ['Well', 'Not so well', 'Hardly at all'],
  },
  {
    id: 'sample-medicine',
    question: 'What makes it hard to take your medicine in time?',
    options: ['I forget it', 'It makes me feel ill', 'I am away from home', 'Nothing'],
    multiple: true,
  },
  {
    id: 'sample-study',
    question: 'Would you take part in a study about reminders?',
    options: ['Yes', 'No'],
    statement: 'My answer may be counted together with those of others.',
  },
] as const;
