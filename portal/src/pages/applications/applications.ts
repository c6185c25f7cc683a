import type { Schemas } from '../../api/schemas.ts';

export const GRANTS = '/api/v1/portal/grants';

export type Grant = Schemas['OAuthGrant'];
export type Application = Schemas['OAuthClient'];

/** The verified host of an application, or the name that it gave itself. */
export function applicationName({ host, name }: Application): string {
  return host ?? name ?? 'An application without a name';
}

/** Says how much is known about who it is. */
export function identityOf({ kind, name }: Application): string {
  if (kind === 'configured') return 'Added by the operator of this server';
  if (kind === 'document') return name === null ? 'Host verified' : `Host verified · calls itself “${name}”`;
  return 'Gave itself this name: not verified';
}
