/**
 * The subset of JSON schema in which parameters are described. The descriptor and OpenAPI print the
 * same objects.
 */
export interface Schema {
  description?: string;
  title?: string;
  /** integer number boolean string array object null, or several. Default: any value fits. */
  type?: string | readonly string[];
  enum?: readonly unknown[];
  default?: unknown;
  /** Only `date-time` is checked. */
  format?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  required?: boolean;
  readonly?: boolean;
  oneOf?: readonly Schema[];
  /** `raw`: takes a string, or the scalar `raw` of an object; ignores the rest. Never printed. */
  form?: 'raw';
  /**
   * The schema to read the value as. It is printed without a type. Where it is a text, scalars
   * become text. A value that does not fit is "Invalid parameter."
   */
  loose?: Schema;
  /** Its type is not printed, because the specification gives none. */
  untyped?: true;
  /** What does not fit is taken as it was sent; its type reads it. Never printed. */
  lenient?: true;
  /** An empty text is a value. Never printed. */
  readsBlank?: true;
  /** With `loose`: the type of values that do not fit. Never printed. */
  not?: 'boolean';
}
