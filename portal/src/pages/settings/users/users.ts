import { type Role, roleReason } from '../../../api/roles.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { changedOf } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';

export const USERS = '/api/v1/portal/users';
export const USER = '/api/v1/portal/users/{id}';
export const INVITATIONS = '/api/v1/portal/invitations';

export type User = Schemas['User'];
export type Invitation = Schemas['Invitation'];

export const STATES = [
  { value: '', label: t('Any') },
  { value: 'active', label: t('Active') },
  { value: 'inactive', label: t('Deactivated') },
  { value: 'invited', label: t('Invited') },
] as const;

export type State = (typeof STATES)[number]['value'];

/** The texts of a form; an empty phone is none. */
export interface UserForm {
  name: string;
  email: string;
  phone: string;
  role: Role;
}

export function formOf({ name, email, phone, role }: User): UserForm {
  return { name, email, phone: phone ?? '', role };
}

const requestOf = ({ phone, ...others }: UserForm) => ({ ...others, phone: phone.trim() || null });

/** The members that were edited. */
export function changesOf(form: UserForm, start: UserForm): Partial<ReturnType<typeof requestOf>> {
  return changedOf(requestOf(form), requestOf(start));
}

export interface Reasons {
  /** Why the user cannot be deactivated, and the like, by this person; undefined: they can. */
  deactivate: string | undefined;
  role: string | undefined;
  email: string | undefined;
  password: string | undefined;
  sessions: string | undefined;
  secondFactor: string | undefined;
}

/** Why the person may not do something to the user. */
export function reasonsFor(me: Pick<User, 'id' | 'role'>, user: Pick<User, 'id' | 'role'>): Reasons {
  const guarded = roleReason(me.role, user.role);
  const own = (text: string) => (me.id === user.id ? text : guarded);
  return {
    deactivate: own(t('You cannot deactivate yourself: another administrator can.')),
    role: own(t('You cannot change your own role: another administrator can.')),
    email: guarded,
    password: own(t('Change your own password under “Your account”.')),
    sessions: own(t('End your own sessions under “Your account”.')),
    secondFactor: own(t('Remove your own second factor under “Your account”.')),
  };
}
