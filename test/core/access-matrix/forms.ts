// Forms and what was submitted.
import { type AccessTable, ADMINISTRATORS, EVERYONE, STAFF } from './rules.js';

const FORM =
  'formId: "4711", name: "x", email: "x@example.com", phone: "+4930901820", platform: "ios", score: 1';

export const forms: AccessTable = {
  lines: [
    [
      'submitForm',
      `mutation { submitForm(input: { ${FORM} }) { receivedAt } }`,
      EVERYONE,
      'FORM_NOT_FOUND',
    ],
    ['forms', '{ forms { id } }', STAFF],
    ['formSubmissions', '{ formSubmissions { nodes { id } } }', STAFF],
    [
      'createForm',
      'mutation { createForm(input: { name: "x", scoreLeast: 0, scoreMost: 9 }) { form { id } } }',
      ADMINISTRATORS,
    ],
    [
      'updateForm',
      'mutation { updateForm(input: { id: "4711", open: false }) { form { id } } }',
      ADMINISTRATORS,
      'FORM_NOT_FOUND',
    ],
    [
      'deleteFormSubmission',
      'mutation { deleteFormSubmission(input: { id: "4711" }) { submission { id } } }',
      ADMINISTRATORS,
      'FORM_SUBMISSION_NOT_FOUND',
    ],
    [
      'deleteFormSubmissions',
      'mutation { deleteFormSubmissions(input: { ids: [4711] }) { results { error { code } } } }',
      ADMINISTRATORS,
    ],
  ],
};
