import { invalid, RuntimeError } from '../../../base/shared/errors.ts';
import { listNames } from '../../../base/shared/names.ts';
import { faultOfVariable, type ReadVariable } from '../../providers/environment.ts';
import type { SecretReference } from '../definition/environment-schema.ts';
import type { Credential, CredentialService } from './service.ts';

export interface ReferenceContext {
  tenantId: string;
  credentials: Pick<CredentialService, 'secretOf'>;
  variable: ReadVariable;
  allowed: readonly string[];
}

/** Never show, log or record it. */
export interface ResolvedSecret extends Omit<Credential, 'version'> {
  /** Identifies the secret and its revision within a tenant without disclosing it. */
  version: string;
}

/** Throws `unavailable` when missing, `invalid` for a credential that is not `allowed`. */
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
  // The environment of a process does not change.
  return { name, username: null, secret: variable(name)!, hosts: [], version: `env ${name}` };
}

function notAllowed(name: string, allowed: readonly string[]): RuntimeError {
  const which = allowed.length === 0 ? 'it lists none' : `it lists ${listNames(allowed)}`;
  return invalid(`options.credentials: the connector does not list ${JSON.stringify(name)}; ${which}`);
}
