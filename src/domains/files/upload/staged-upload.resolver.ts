import { Ctx, Resolver } from 'type-graphql';
import { Access } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation } from '../../../core/root-fields.js';
import { mayUpload } from './staged-upload.access.js';
import { StagedUploadInput } from './staged-upload.inputs.js';
import { stageUpload } from './staged-upload.service.js';
import { StagedUpload } from './staged-upload.types.js';

const StagedUploadPayload = payloadType<{ upload: StagedUpload }>('StagedUpload', {
  upload: { type: () => StagedUpload, description: 'Where and how to send the file.' },
});

@Resolver()
export class StagedUploadResolver {
  @Access(mayUpload)
  @Mutation(() => StagedUploadPayload, {
    description:
      'Announces a file that is then sent by PUT, for a medium to be made of it by `createMedia`. ' +
      'FORBIDDEN_CREATE, UPLOAD_TOO_LARGE, FILE_TYPE_REFUSED, UPLOADS_TOO_MANY.',
  })
  async stagedUpload(
    @Ctx() context: RequestContext,
    @InputArg(StagedUploadInput) input: StagedUploadInput,
  ): Promise<{ upload: StagedUpload }> {
    return { upload: await stageUpload(context, input) };
  }
}
