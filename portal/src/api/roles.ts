import { t } from '../language/index.ts';
import type { Schemas } from './schemas.ts';

export type Role = Schemas['User']['role'];

/** The roles in words, from the one that may do least. */
export const ROLES: readonly { role: Role; label: string; may: string }[] = [
  { role: 'VIEWER', label: t('Viewer'), may: t('Looks at everything, and changes nothing.') },
  { role: 'HUB_USER', label: t('Hub user'), may: t('As a viewer: for people whom an identity provider sends.') },
  {
    role: 'USER',
    label: t('Member'),
    may: t('Looks at everything, records events and runs, writes reviews, proposes metrics.'),
  },
  {
    role: 'ADMIN',
    label: t('Administrator'),
    may: t('Does everything in this workspace; only super administrators are out of reach.'),
  },
  {
    role: 'SUPER_ADMIN',
    label: t('Super administrator'),
    may: t('Does everything, makes super administrators, and runs the installation while it has one workspace.'),
  },
];

/** Roles that can be held to a part of the tenant: an administrator could lift the limits. */
export const LIMITED_ROLES = ['VIEWER', 'HUB_USER', 'USER'] as const satisfies readonly Role[];
export type LimitedRole = (typeof LIMITED_ROLES)[number];

/** "Administrator" for ADMIN. */
export function roleLabel(role: Role): string {
  return ROLES.find((one) => one.role === role)?.label ?? role;
}

/** Why somebody with the first role may not give the second, or change who has it; undefined: they may. */
export function roleReason(own: Role, role: Role): string | undefined {
  return role === 'SUPER_ADMIN' && own !== 'SUPER_ADMIN'
    ? t('Only a super administrator can do this of a super administrator.')
    : undefined;
}

/** For `Choices`. */
export function roleChoices(own: Role): { value: Role; label: string; help: string; reason: string | undefined }[] {
  return ROLES.map(({ role, label, may }) => ({
    value: role,
    label: `${label} (${role})`,
    help: may,
    reason: roleReason(own, role) && t('Only a super administrator can give this role.'),
  }));
}
