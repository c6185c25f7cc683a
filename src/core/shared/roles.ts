export const ROLES = ['ADMIN', 'USER', 'VIEWER', 'SUPER_ADMIN', 'HUB_USER'] as const;
export type Role = (typeof ROLES)[number];

export function administers(role: Role | null): boolean {
  return role === 'ADMIN' || role === 'SUPER_ADMIN';
}
