import { refuse } from '../../../core/errors.js';
import {
  fieldsInUse,
  type GroupPart,
  type ModelDocument,
  type Options,
} from '../definition/model.document.js';

/** The form of files that `npm run models` writes and reads. */
const FORM = 'care-models';
const VERSION = 1;

interface FilePart {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly options: Options;
}

interface FileField extends FilePart {
  readonly type: string;
  /** Name of its group; null for none. */
  readonly group: string | null;
}

/** A model in a file. It has names and no ids, so that it fits every installation. */
export interface FileModel extends FilePart {
  readonly type: string;
  readonly storage: string;
  readonly groups: readonly FilePart[];
  readonly fields: readonly FileField[];
}

/** Returns a model as a file has it. Fields in the trash are left out. */
export function fileModelOf(document: ModelDocument): FileModel {
  const { groups } = document;
  return {
    ...partOf(document),
    type: document.type,
    storage: document.storage,
    groups: groups.map(partOf),
    fields: fieldsInUse(document).map((field) => ({
      ...partOf(field),
      type: field.type,
      group: groups.find(({ id }) => id === field.groupId)?.name ?? null,
    })),
  };
}

const partOf = ({ name, label, description, options }: Omit<GroupPart, 'id'>): FilePart => ({
  name,
  label,
  description,
  options,
});

/** Returns the text of a file: the same text for the same models. */
export function fileText(models: readonly FileModel[]): string {
  const sorted = [...models].sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${JSON.stringify({ form: FORM, version: VERSION, models: sorted }, null, 2)}\n`;
}

/** Reads a file. Throws MODEL_FILE_INVALID with the place of the first mistake. */
export function readModelFile(text: string): FileModel[] {
  const file = object(parsed(text), 'the file');
  if (file.form !== FORM || file.version !== VERSION)
    throw invalid(`the file is not of the form ${FORM} ${VERSION}`);
  const models = list(file.models, 'models').map((value, i): FileModel => {
    const at = `models[${i}]`;
    const model = object(value, at);
    return {
      ...part(model, at),
      type: words(model.type, `${at}.type`),
      storage: words(model.storage, `${at}.storage`),
      groups: list(model.groups, `${at}.groups`).map((group, j) =>
        part(object(group, `${at}.groups[${j}]`), `${at}.groups[${j}]`),
      ),
      fields: list(model.fields, `${at}.fields`).map((field, j) =>
        fieldIn(object(field, `${at}.fields[${j}]`), `${at}.fields[${j}]`),
      ),
    };
  });
  if (new Set(models.map(({ name }) => name)).size < models.length)
    throw invalid('two models have one name');
  return models;
}

type Values = Readonly<Record<string, unknown>>;

function fieldIn(value: Values, at: string): FileField {
  const { group } = value;
  return {
    ...part(value, at),
    type: words(value.type, `${at}.type`),
    group: group === null ? null : words(group, `${at}.group`),
  };
}

function part(value: Values, at: string): FilePart {
  return {
    name: words(value.name, `${at}.name`),
    label: words(value.label, `${at}.label`),
    description: words(value.description, `${at}.description`),
    options: list(value.options, `${at}.options`).map((pair, i) => {
      const [name, option] = list(pair, `${at}.options[${i}]`);
      if (typeof option !== 'string' && (typeof option !== 'object' || option === null))
        throw invalid(`${at}.options[${i}] is no pair of a name and a value`);
      return [words(name, `${at}.options[${i}]`), option as Options[number][1]] as const;
    }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('the file is no JSON');
  }
}

function object(value: unknown, at: string): Values {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
  throw invalid(`${at} is no object`);
}

function list(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(`${at} is no list`);
}

function words(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  throw invalid(`${at} is no text`);
}

const invalid = (message: string) =>
  refuse('MODEL_FILE_INVALID', `The file cannot be read: ${message}.`);
