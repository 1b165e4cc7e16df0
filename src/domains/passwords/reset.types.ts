import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';

@ObjectType({ description: 'How a step went, as the mobile app reads it.' })
export class StepStatus {
  @Access(anyone)
  @Field(() => Int, { description: 'Always 200: a step that fails answers an error instead.' })
  status = 200;
}

@ObjectType({ description: 'A step of resetting a password that was taken.' })
export class PasswordResetStep {
  constructor(message: string) {
    this.message = message;
  }

  @Access(anyone)
  @Field(() => StepStatus, { description: 'How it went.' })
  data = new StepStatus();

  @Access(anyone)
  @Field({ description: 'The same in a sentence.' })
  message: string;
}
