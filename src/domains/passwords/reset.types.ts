import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Internal } from '../../core/marks.js';
import { DateTime } from '../../core/scalars.js';
import { RESET_CODE } from './reset-code.js';

@ObjectType({ description: 'How a step went, as the mobile app reads it.' })
export class StepStatus {
  @Visible(() => Int, { description: 'Always 200: a step that fails answers an error instead.' })
  status = 200;
}

@ObjectType({ description: 'A step of resetting a password that was taken.' })
export class PasswordResetStep {
  constructor(message: string) {
    this.message = message;
  }

  @Visible(() => StepStatus, { description: 'How it went.' })
  data = new StepStatus();

  @Visible({ description: 'The same in a sentence.' })
  message: string;
}

/** What every step of a reset returns. */
@ObjectType()
abstract class StepPayload {
  constructor(message: string) {
    this.step = new PasswordResetStep(message);
  }

  @Internal()
  @Visible(() => PasswordResetStep, { description: 'How the step went.' })
  step: PasswordResetStep;
}

@ObjectType({
  description: 'A reset that was asked for. The same whether or not the address has an account.',
})
export class RequestPasswordResetPayload extends StepPayload {
  @Visible(() => Int, { description: 'Seconds for which the mailed code is good.' })
  expiresIn: number = RESET_CODE.lifetime / 1000;
}

@ObjectType({ description: 'A code that is right, and not used up.' })
export class CheckPasswordResetCodePayload extends StepPayload {
  constructor(message: string, expiresAt: Date) {
    super(message);
    this.expiresAt = expiresAt;
  }

  @Visible(() => DateTime, { description: 'Until when the code is good, in UTC.' })
  expiresAt: Date;
}

@ObjectType({ description: 'A password that was set.' })
export class ResetPasswordPayload extends StepPayload {
  constructor(message: string, endedSessions: number) {
    super(message);
    this.endedSessions = endedSessions;
  }

  @Visible(() => Int, { description: 'How many sessions of the account ended: all that it had.' })
  endedSessions: number;
}
