import type { Role } from '../shared/roles.ts';

/** A person of a tenant as kept. Times are epoch milliseconds. */
export interface StoredUser {
  id: string;
  tenantId: string;
  email: string;
  name: string;
  phone: string | null;
  avatarUrl: string | null;
  role: Role;
  isActive: boolean;
  /** Null: no password was set, so there is no logging in. */
  passwordHash: string | null;
  /**
   * What a token of the user must name to be valid. It goes up with every change of the password and when the user is deactivated:
   * epoch milliseconds of that moment, or one more than before. Null: neither has been yet.
   */
  sessionVersion: number | null;
  lastLoginAt: number | null;
  /** What an identity provider left here. */
  metadata: { idp_user_id?: string | undefined; idp_created?: boolean | undefined; invite_sent?: boolean | undefined };
  createdAt: number;
  updatedAt: number;
}

/** What the user made, and the keys that the user made. */
export interface UserCounts {
  agents: number;
  /** API keys, and stored credentials of connectors. */
  credentials: number;
  executions: number;
}

/** An undefined member keeps what there is. */
export type UserChanges = {
  [Member in Changeable]?: StoredUser[Member] | undefined;
};
type Changeable = 'email' | 'name' | 'phone' | 'avatarUrl' | 'role' | 'isActive' | 'passwordHash' | 'sessionVersion';

export interface ChangeOptions {
  updatedAt: number;
  /** Changes nothing unless another user of the tenant is active and an administrator at that very moment. */
  besideAnotherAdministrator: boolean;
}

export interface UsersPage {
  /** Only those with this in their name or e-mail; case and accents do not matter. */
  search: string;
  /** Null: all. */
  limit: number | null;
  offset: number;
}

/** The people of the tenants. E-mails are unique within a tenant, whatever their case. */
export interface UserStore {
  /** Makes the user, or gives the one with this e-mail the new password. */
  put(user: StoredUser): Promise<void>;
  create(user: StoredUser): Promise<'created' | 'duplicate email' | 'unknown tenant'>;
  /** Whatever its tenant: whoever asks compares it. */
  find(id: string): Promise<StoredUser | null>;
  /** Everyone with this e-mail, in any case; of one tenant, or of any when null. At most ten. */
  findByEmail(email: string, tenantId: string | null): Promise<StoredUser[]>;
  /** Newest first, and how many there are in all; of every tenant when null. */
  list(
    tenantId: string | null,
    page: UsersPage,
  ): Promise<{ users: (StoredUser & { counts: UserCounts })[]; total: number }>;
  counts(id: string): Promise<UserCounts>;
  /**
   * Changes a user as they were `seen`: `stale` when role, activity, password or session version are others by now, null
   * when the user is gone. One statement, so that of any number of changes at once each sees what the others did.
   */
  change(
    seen: StoredUser,
    changes: UserChanges,
    options: ChangeOptions,
  ): Promise<StoredUser | null | 'stale' | 'duplicate email' | 'last administrator'>;
  recordLogin(id: string, at: number): Promise<void>;
}
