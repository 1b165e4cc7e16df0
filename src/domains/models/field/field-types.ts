import { registerEnumType } from 'type-graphql';

/** The types of fields (docs/interface.md 10.9). Values are those of REST. */
export enum ModelFieldType {
  TEXT = 'text',
  WEBSITE = 'website',
  PHONE = 'phone',
  EMAIL = 'email',
  PASSWORD = 'password',
  PARAGRAPH = 'paragraph',
  WYSIWYG = 'wysiwyg',
  CODE = 'code',
  DATETIME = 'datetime',
  DATE = 'date',
  TIME = 'time',
  NUMBER = 'number',
  CURRENCY = 'currency',
  FILE = 'file',
  AVATAR = 'avatar',
  OEMBED = 'oembed',
  PICK = 'pick',
  BOOLEAN = 'boolean',
  COLOR = 'color',
  SLUG = 'slug',
  HEADING = 'heading',
  HTML = 'html',
}

const CHARACTERS = 'Option `text_max_length`: most characters';
const RANGE = 'Options `number_min`, `number_max`, `number_decimals`.';

registerEnumType(ModelFieldType, {
  name: 'ModelFieldType',
  description:
    'What a field holds. Its options narrow it; a value that breaks the rule is refused.',
  valuesConfig: {
    TEXT: { description: `One line of text. ${CHARACTERS}, default 255.` },
    WEBSITE: { description: 'An http or https address without credentials.' },
    PHONE: { description: 'A telephone number: 3 to 40 digits, spaces and + - . / ( ) x.' },
    EMAIL: { description: 'An e-mail address.' },
    PASSWORD: { description: 'A text that is stored as a hash: nobody reads it again.' },
    PARAGRAPH: { description: 'Lines of plain text, at most 65,536 bytes.' },
    WYSIWYG: { description: 'Text with HTML, at most 1 MiB; it is cleaned of scripts.' },
    CODE: { description: 'Source text, at most 65,536 bytes.' },
    DATETIME: { description: 'A moment: ISO 8601 with an offset. Stored in UTC.' },
    DATE: { description: 'A day: YYYY-MM-DD.' },
    TIME: { description: 'A time of day: HH:MM or HH:MM:SS.' },
    NUMBER: { description: `A number. ${RANGE}` },
    CURRENCY: {
      description:
        'An amount of at most two decimals. Options `currency_min`, `currency_max`, ' +
        '`currency_decimals`.',
    },
    FILE: {
      description:
        'Ids of media. One, unless option `file_format_type` is `multi`; then at most ' +
        '`file_limit`.',
    },
    AVATAR: { description: 'Id of one medium that is a picture.' },
    OEMBED: { description: 'An http or https address whose page can be embedded.' },
    PICK: {
      description:
        'Ids of other rows, or words of a list. Option `pick_object` says of what: `pod`, ' +
        '`post_type`, `taxonomy` (with the name in `pick_val`), `user`, `media`, or ' +
        '`custom-simple` (the words are the lines of `pick_custom`). One, unless ' +
        '`pick_format_type` is `multi`; then at most `pick_limit`.',
    },
    BOOLEAN: { description: 'Yes or no.' },
    COLOR: { description: 'A colour: # and 3 or 6 hexadecimal digits.' },
    SLUG: { description: 'Lower-case letters and digits, in words joined by hyphens.' },
    HEADING: { description: 'Words between fields of a form. It holds no value.' },
    HTML: { description: 'HTML between fields of a form. It holds no value.' },
  },
});

const TYPES: ReadonlySet<string> = new Set(Object.values(ModelFieldType));

/** Returns a type by the name that REST gave it; null for a name of none. */
export const fieldTypeOf = (name: string): ModelFieldType | null =>
  TYPES.has(name) ? (name as ModelFieldType) : null;
