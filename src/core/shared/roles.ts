export const ROLES = ['ADMIN', 'USER', 'VIEWER', 'SUPER_ADMIN', 'HUB_USER'] as const;
export type Role = (typeof ROLES)[number];

/** Whether the role administers its tenant: users, keys and settings. */
export function administers(role: Role | null): boolean {
  return role === 'ADMIN' || role === 'SUPER_ADMIN';
}
