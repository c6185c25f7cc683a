import { faultOfVariable, type ReadVariable } from '../../providers/environment.ts';
import { invalid, RuntimeError } from '../../shared/errors.ts';
import { listNames } from '../../shared/names.ts';
import type { SecretReference } from '../definition/environment-schema.ts';
import type { CredentialService } from './service.ts';

export interface ReferenceContext {
  tenantId: string;
  credentials: Pick<CredentialService, 'secretOf'>;
  variable: ReadVariable;
  /** The credentials that the connector lists. */
  allowed: readonly string[];
}

/** What a reference leads to: never to be shown, logged or recorded. */
export interface ResolvedSecret {
  /** Of the credential, or of the variable of the environment. */
  name: string;
  /** A user's name or a client's id; null: there is none. */
  username: string | null;
  secret: string;
  /** Hosts that it may be sent to; empty: any. */
  hosts: string[];
  /** Within a tenant, tells it from every other secret and from what it was before. Tells nothing of it. */
  version: string;
}

/**
 * The secret that a definition or a call refers to. Throws `unavailable` when it cannot be had, and `invalid` for a
 * credential that is not allowed, which can be the call's alone: what a definition refers to, it lists.
 */
export async function resolveReference(
  reference: SecretReference,
  { tenantId, credentials, variable, allowed }: ReferenceContext,
): Promise<ResolvedSecret> {
  if ('env' in reference) return secretOfVariable(reference.env, variable);
  const { credential } = reference;
  if (!allowed.includes(credential)) throw notAllowed(credential, allowed);
  const { username, secret, hosts, version } = await credentials.secretOf(tenantId, credential);
  return { name: credential, username, secret, hosts, version: `credential ${credential} ${version}` };
}

function secretOfVariable(name: string, variable: ReadVariable): ResolvedSecret {
  const fault = faultOfVariable(name, variable);
  if (fault !== null) throw new RuntimeError('unavailable', `The connector cannot be used: ${fault}.`);
  // The environment of a process stays as it is, so the name is version enough.
  return { name, username: null, secret: variable(name)!, hosts: [], version: `env ${name}` };
}

function notAllowed(name: string, allowed: readonly string[]): RuntimeError {
  const which = allowed.length === 0 ? 'it lists none' : `it lists ${listNames(allowed)}`;
  return invalid(`options.credentials: the connector does not list ${JSON.stringify(name)}; ${which}`);
}
