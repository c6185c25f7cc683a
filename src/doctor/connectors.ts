import { openCredential } from '../core/agents/connectors/credentials/service.ts';
import { referencesOf } from '../core/agents/connectors/definition/schema.ts';
import { faultOfVariable, type ReadVariable } from '../core/agents/providers/environment.ts';
import { UnopenableSecret } from '../core/base/sealing/sealing.ts';
import type { FoundConnector, FoundCredential } from '../storage/state/sql/examined.ts';
import { CHECK_ENVIRONMENT, countsByTenant, type Finding } from './findings.ts';
import { type KeyFinder, putBackKeys, type SealingKeySettings, sealingKeys } from './sealing-key.ts';
import { readState, type StateRows } from './state-rows.ts';

export interface ConnectorSettings extends SealingKeySettings {
  variable: ReadVariable;
}

export async function findingsOfConnectors({ variable, ...settings }: ConnectorSettings): Promise<Finding[]> {
  const state = await readState(settings);
  return [
    ...findingsOfDefinitions(state.connectors, state.credentials, variable),
    ...findingsOfCredentials(state, settings),
  ];
}

function findingsOfDefinitions(
  connectors: FoundConnector[],
  credentials: FoundCredential[],
  variable: ReadVariable,
): Finding[] {
  const check = 'connector configuration';
  if (connectors.length === 0) return [{ check, status: 'ok', message: 'no connector is defined' }];
  const byTenant = Map.groupBy(credentials, ({ tenantId }) => tenantId);
  const problems = connectors.flatMap((one) => {
    const stored = (byTenant.get(one.tenantId) ?? []).map(({ credential }) => credential.name);
    const where = `${one.connector.slug} of tenant ${one.tenant}`;
    return [...unsetIn(one, variable), ...missingFrom(one, stored)].map((problem) => `${where}, ${problem}`);
  });
  return [
    { check, status: 'ok', message: countsByTenant('connectors', connectors) },
    ...problems.map((message): Finding => ({ check, status: 'warning', message })),
  ];
}

function unsetIn({ connector }: FoundConnector, variable: ReadVariable): string[] {
  return referencesOf(connector.definition).flatMap(({ path, reference }) => {
    const fault = 'env' in reference ? faultOfVariable(reference.env, variable) : null;
    return fault === null ? [] : [`${path.join('.')}: ${fault}. ${CHECK_ENVIRONMENT}`];
  });
}

function missingFrom({ connector }: FoundConnector, stored: string[]): string[] {
  return connector.definition.credentials
    .filter((name) => !stored.includes(name))
    .map((name) => `credentials: ${name} is not stored. Set it with \`credentials set ${name}\``);
}

function findingsOfCredentials(state: StateRows, settings: SealingKeySettings): Finding[] {
  const { credentials: found } = state;
  const check = 'connector credentials';
  if (found.length === 0) return [{ check, status: 'ok', message: 'none is stored' }];
  const keys = sealingKeys(settings, state);
  const remedy = `${putBackKeys(state)}, or set the credential again`;
  return [
    { check, status: 'ok', message: countsByTenant('credentials', found) },
    ...found.flatMap((one): Finding[] => {
      const fault = faultOf(one, keys);
      if (fault === null) return [];
      const message = `${one.credential.name} of tenant ${one.tenant}: the stored secret ${fault}. ${remedy}`;
      return [{ check, status: 'failed', message }];
    }),
  ];
}

function faultOf({ tenantId, credential }: FoundCredential, keys: KeyFinder): string | null {
  try {
    openCredential(keys, tenantId, credential);
    return null;
  } catch (error) {
    if (error instanceof UnopenableSecret) return error.message;
    throw error;
  }
}
