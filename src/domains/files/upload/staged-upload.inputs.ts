import { Field, InputType } from 'type-graphql';
import { ByteCount, MimeType, ShortText } from '../../../core/scalars.js';

@InputType({ description: 'A file that is about to be sent.' })
export class StagedUploadInput {
  @Field(() => ShortText, {
    description:
      'Name of the file. Its letters and digits become a part of the address, and it is the title ' +
      'of the medium unless another is given.',
  })
  name!: string;

  @Field(() => MimeType, {
    description:
      'Media type that the file is sent with: JPEG, PNG, GIF, WebP, PDF, audio, video or a ' +
      'document of an office program. What the file is, its content decides. FILE_TYPE_REFUSED.',
  })
  mimeType!: string;

  @Field(() => ByteCount, {
    description: 'How many bytes will be sent, exactly. UPLOAD_TOO_LARGE.',
  })
  bytes!: number;
}
