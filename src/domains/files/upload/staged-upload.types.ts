import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { DatabaseId, Node } from '../../../core/node.js';
import { DateTime, WebAddress } from '../../../core/scalars.js';

@ObjectType({ description: 'A header of a request.' })
export class RequestHeader {
  @Visible({ description: 'Its name.' })
  name!: string;

  @Visible({ description: 'Its value, to be sent as it is.' })
  value!: string;
}

@ObjectType({
  implements: Node,
  description:
    'A file that is sent for a medium: announced by `stagedUpload`, sent by PUT to `url`, and made a ' +
    'medium by `createMedia` within a day. Only the account that announced it sees it.',
})
export class StagedUpload {
  @DatabaseId()
  id!: number;

  @Visible({ description: 'Name of the file, as it was announced.' })
  name!: string;

  @Visible({ description: 'Media type, as it was announced.' })
  mimeType!: string;

  @Visible(() => Int, { description: 'How many bytes it has.' })
  bytes!: number;

  @Visible(() => WebAddress, {
    nullable: true,
    description:
      'Where to send the file by PUT, without credentials: whoever has the address may. The same ' +
      'file may be sent again, another may not. Null once it has expired or a medium was made.',
  })
  url!: string | null;

  @Rows(2)
  @Visible(() => [RequestHeader], {
    description: 'Headers that the PUT must have, besides its length.',
  })
  headers!: RequestHeader[];

  @Visible(() => DateTime, {
    description: 'Until when the whole file must have arrived: 30 minutes after it was announced.',
  })
  expiresAt!: Date;
}
