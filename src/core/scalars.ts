/** The scalars of the interface, by what they are of. Inputs and types import them from here. */
export { Cursor, Email, MimeType, Uuid, WebAddress } from './scalars/address.scalars.js';
export {
  AnchorMinutes,
  Days,
  DoseCount,
  DoseMinutes,
  DoseQuantity,
  DosesADay,
  DurationSeconds,
  Every,
  IntervalMinutes,
  Latitude,
  Longitude,
  Meters,
  Minutes,
  MonthDay,
  NoticeDays,
  PageNumber,
  PageSize,
  PixelCount,
  RenotifyTimes,
  ReportSize,
  Score,
  StockQuantity,
  WaitMinutes,
} from './scalars/count.scalars.js';
export { AnyJson, AnyWords, IdWords, KeyText, TypeWords } from './scalars/model.scalars.js';
export { AnyToken, PushData, PushToken } from './scalars/push.scalars.js';
export { Presented, ProviderToken, Secret } from './scalars/secret.scalars.js';
export {
  AnyAnswer,
  CountryCode,
  CsvText,
  DocumentText,
  Footnotes,
  LanguageTag,
  LongText,
  PlainName,
  QuoteText,
  Reason,
  RichText,
  SearchText,
  ShortText,
  Text,
  TitleText,
} from './scalars/text.scalars.js';
export {
  ClockTime,
  ClockZone,
  DateText,
  DateTime,
  DurationText,
  GmtTime,
  LocalDate,
  SiteTime,
  TimeOfDay,
  TimeZone,
} from './scalars/time.scalars.js';
