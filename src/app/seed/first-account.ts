import type { Role } from '../../core/roles.js';

/** An account that the first start created. Its password is shown once. */
export interface FirstAccount {
  readonly role: Role;
  readonly username: string;
  /** Undefined when the operator chose the password. */
  readonly password: string | undefined;
}
