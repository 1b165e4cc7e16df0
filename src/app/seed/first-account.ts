import type { Role } from '../../core/roles.js';

/** An account that the first start made, with the password that is shown once. */
export interface FirstAccount {
  readonly role: Role;
  readonly username: string;
  /** Undefined when the operator chose it. */
  readonly password: string | undefined;
}
