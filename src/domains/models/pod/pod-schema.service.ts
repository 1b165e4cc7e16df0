import type { RequestContext } from '../../../core/context.js';
import type { Viewer } from '../../../core/viewer.js';
import type { FieldPart, ModelRow } from '../definition/model.document.js';
import { allModels } from '../definition/model.service.js';
import { maySee } from '../definition/model-list.service.js';
import { readableFields } from '../field/field-access.js';
import { isRequired, numberOption } from '../field/field-rule.js';
import { choicesOf, isMultiple, limitOf, targetOf } from '../field/list-rule.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Returns JSON schemas of the items of the models that the viewer may see, by name. */
export async function itemSchemas(context: RequestContext): Promise<Record<string, JsonSchema>> {
  const models = (await allModels(context)).filter((model) => maySee(context, model));
  return Object.fromEntries(
    models.map((model) => [model.document.name, schemaOfModel(model, context.viewer)]),
  );
}

function schemaOfModel({ document }: ModelRow, viewer: Viewer): JsonSchema {
  const fields = readableFields(viewer, document).filter(
    ({ type }) => type !== 'heading' && type !== 'html',
  );
  const required = fields.filter((field) => isRequired(field)).map(({ name }) => name);
  return {
    type: 'object',
    title: document.label,
    ...(document.description && { description: document.description }),
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

const FORMATS: Readonly<Record<string, string>> = {
  website: 'uri',
  oembed: 'uri',
  email: 'email',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
};

/** Returns the JSON schema of the values of a field. */
export function schemaOfField(field: FieldPart): JsonSchema {
  const about = {
    title: field.label,
    ...(field.description && { description: field.description }),
  };
  return { ...about, ...valuesOf(field) };
}

function valuesOf(field: FieldPart): JsonSchema {
  switch (field.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
    case 'currency': {
      const minimum = numberOption(field, `${field.type}_min`);
      const maximum = numberOption(field, `${field.type}_max`);
      return {
        type: 'number',
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
      };
    }
    case 'file':
    case 'avatar':
    case 'pick': {
      const target = targetOf(field);
      const one =
        target.kind === 'choice'
          ? { type: 'string', enum: [...new Set(choicesOf(field).map(([word]) => word))] }
          : { type: 'integer', minimum: 1 };
      if (!isMultiple(field)) return one;
      return { type: 'array', items: one, maxItems: limitOf(field), uniqueItems: true };
    }
    case 'password':
      return { type: 'string', writeOnly: true };
    default: {
      const format = FORMATS[field.type];
      return { type: 'string', ...(format && { format }) };
    }
  }
}
