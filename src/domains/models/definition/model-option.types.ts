import { JSONResolver } from 'graphql-scalars';
import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { WEIGHTS, Weight } from '../../../core/cost.js';
import type { Options, OptionValue } from './model.document.js';

@ObjectType({ description: 'An option of a model, a group or a field.' })
export class ModelOption {
  @Visible(() => String, { description: 'Its name.' })
  name!: string;

  @Weight(WEIGHTS.text)
  @Visible(() => JSONResolver, {
    description: 'Its value: a text, or a list or object that an app has stored.',
  })
  value!: OptionValue;
}

/** Returns options as GraphQL shows them. */
export const optionsOf = (options: Options): ModelOption[] =>
  options.map(([name, value]) => Object.assign(new ModelOption(), { name, value }));
