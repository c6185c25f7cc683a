import type { TextLanguage } from '../../../language/messages.ts';
import type { Role } from '../../base/shared/caller.ts';
import type { Page } from '../../base/shared/paging.ts';

/** Times are epoch milliseconds. */
export interface StoredUser {
  id: string;
  tenantId: string;
  email: string;
  name: string;
  phone: string | null;
  avatarUrl: string | null;
  role: Role;
  isActive: boolean;
  /** Null if the user cannot log in. */
  passwordHash: string | null;
  /** Named by tokens; a new password or a deactivation increases it. Null: neither has happened. */
  sessionVersion: number | null;
  lastLoginAt: number | null;
  /** The language of the user's pages; null: that of the browser. */
  language: TextLanguage | null;
  metadata: { idp_user_id?: string | undefined; idp_created?: boolean | undefined; invite_sent?: boolean | undefined };
  createdAt: number;
  updatedAt: number;
}

export interface UserCounts {
  agents: number;
  credentials: number;
  executions: number;
}

/** Undefined members stay unchanged. */
export type UserChanges = {
  [Member in Changeable]?: StoredUser[Member] | undefined;
};
type Changeable =
  | 'email'
  | 'name'
  | 'phone'
  | 'avatarUrl'
  | 'role'
  | 'isActive'
  | 'passwordHash'
  | 'sessionVersion'
  | 'metadata'
  | 'language';

export interface ChangeOptions {
  updatedAt: number;
  requiresOtherAdministrator: boolean;
}

export interface UsersPage {
  search: string;
  role?: Role | undefined;
  isActive?: boolean | undefined;
  limit: number | null;
  offset: number;
}

/** E-mails are unique within a tenant, ignoring case. */
export interface UserStore {
  /** Upsert by e-mail, which sets the password. */
  put(user: StoredUser): Promise<void>;
  create(user: StoredUser): Promise<'created' | 'duplicate email' | 'unknown tenant'>;
  /** A user of any tenant: the caller must compare the tenant. */
  find(id: string): Promise<StoredUser | null>;
  /** Finds at most ten; null for any tenant. */
  findByEmail(email: string, tenantId: string | null): Promise<StoredUser[]>;
  list(tenantId: string | null, asked: UsersPage): Promise<Page<StoredUser & { counts: UserCounts }>>;
  counts(id: string): Promise<UserCounts>;
  /** Compare-and-set in one statement: `stale` when `seen` is outdated, null when gone. */
  change(
    seen: StoredUser,
    changes: UserChanges,
    options: ChangeOptions,
  ): Promise<StoredUser | null | 'stale' | 'duplicate email' | 'last administrator'>;
  recordLogin(id: string, at: number): Promise<void>;
}
