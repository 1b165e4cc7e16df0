import { type EnumValue, enumType } from '../../../core/enum-type.js';

const CHARACTERS = 'Option `text_max_length`: most characters';
const RANGE = 'Options `number_min`, `number_max`, `number_decimals`.';

/** The types of fields (docs/interface.md 10.9). Values are those of REST. */
export const ModelFieldType = enumType(
  'ModelFieldType',
  'What a field holds. Its options narrow it; a value that breaks the rule is refused.',
  {
    TEXT: ['text', `One line of text. ${CHARACTERS}, default 255.`],
    WEBSITE: ['website', 'An http or https address without credentials.'],
    PHONE: ['phone', 'A telephone number: 3 to 40 digits, spaces and + - . / ( ) x.'],
    EMAIL: ['email', 'An e-mail address.'],
    PASSWORD: ['password', 'A text that is stored as a hash: nobody reads it again.'],
    PARAGRAPH: ['paragraph', 'Lines of plain text, at most 65,536 bytes.'],
    WYSIWYG: ['wysiwyg', 'Text with HTML, at most 1 MiB; it is cleaned of scripts.'],
    CODE: ['code', 'Source text, at most 65,536 bytes.'],
    DATETIME: ['datetime', 'A moment: ISO 8601 with an offset. Stored in UTC.'],
    DATE: ['date', 'A day: YYYY-MM-DD.'],
    TIME: ['time', 'A time of day: HH:MM or HH:MM:SS.'],
    NUMBER: ['number', `A number. ${RANGE}`],
    CURRENCY: [
      'currency',
      'An amount of at most two decimals. Options `currency_min`, `currency_max`, ' +
        '`currency_decimals`.',
    ],
    FILE: [
      'file',
      'Ids of media. One, unless option `file_format_type` is `multi`; then at most ' +
        '`file_limit`.',
    ],
    AVATAR: ['avatar', 'Id of one medium that is a picture.'],
    OEMBED: ['oembed', 'An http or https address whose page can be embedded.'],
    PICK: [
      'pick',
      'Ids of other rows, or words of a list. Option `pick_object` says of what: `pod`, ' +
        '`post_type`, `taxonomy` (with the name in `pick_val`), `user`, `media`, or ' +
        '`custom-simple` (the words are the lines of `pick_custom`). One, unless ' +
        '`pick_format_type` is `multi`; then at most `pick_limit`.',
    ],
    BOOLEAN: ['boolean', 'Yes or no.'],
    COLOR: ['color', 'A colour: # and 3 or 6 hexadecimal digits.'],
    SLUG: ['slug', 'Lower-case letters and digits, in words joined by hyphens.'],
    HEADING: ['heading', 'Words between fields of a form. It holds no value.'],
    HTML: ['html', 'HTML between fields of a form. It holds no value.'],
  },
);
export type ModelFieldType = EnumValue<typeof ModelFieldType>;

const TYPES: ReadonlySet<string> = new Set(Object.values(ModelFieldType));

/** Returns a type by the name that REST gave it; null for a name of none. */
export const fieldTypeOf = (name: string): ModelFieldType | null =>
  TYPES.has(name) ? (name as ModelFieldType) : null;
