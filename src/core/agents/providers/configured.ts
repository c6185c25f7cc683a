import { RuntimeError } from '../../base/shared/errors.ts';
import type { Capabilities, Vendor } from '../chat/capabilities.ts';
import type { Connection } from '../chat/provider.ts';
import type { Price } from '../chat/recording/record.ts';
import { awsRegion, connectionOfEnvironment, type ReadVariable } from './environment.ts';
import type { ChatDefaults, Fallback } from './schema.ts';
import { resolveSecrets, type SecretOwner } from './secrets.ts';
import type { StoredModelProvider } from './store.ts';

/** Holds secrets. Never show, log or record it. */
export interface ConfiguredProvider {
  name: string | null;
  connection: Connection;
  defaults: ChatDefaults;
  capabilities: Partial<Capabilities>;
  /** The public table has the price if null. */
  price: Price | null;
  strict: boolean;
  /** Until the first content; null: no own limit. */
  timeoutMs: number | null;
  fallbacks: Fallback[];
}

/** Throws `unavailable` if a secret cannot be read. */
export function configuredProvider(
  stored: StoredModelProvider,
  owner: SecretOwner,
  variable: ReadVariable,
): ConfiguredProvider {
  const { definition, faults } = resolveSecrets(stored.definition, owner, variable);
  const { provider, baseUrl, apiKey, headers, timeout, allowPrivateNetwork, allowPrivateImages } = definition;
  const { defaults, capabilities, strict, fallbacks } = definition;
  const { name } = owner;
  const [fault] = faults;
  if (fault) {
    const message = `Provider ${JSON.stringify(name)} cannot be used: ${fault.field}: ${fault.problem}.`;
    throw new RuntimeError('unavailable', message);
  }
  return {
    name,
    connection: {
      provider,
      baseUrl: baseUrl ?? null,
      apiKey: apiKey ?? null,
      headers: headers ?? {},
      region: provider === 'bedrock' ? (definition.region ?? awsRegion(variable)) : null,
      allowPrivateNetwork,
      allowPrivateImages,
    },
    defaults,
    capabilities,
    strict,
    fallbacks,
    price: definition.price ?? null,
    timeoutMs: timeout === undefined ? null : Math.round(timeout * 1_000),
  };
}

export function providerOfEnvironment(provider: Vendor, variable: ReadVariable): ConfiguredProvider {
  return {
    name: null,
    connection: connectionOfEnvironment(provider, variable),
    defaults: {},
    capabilities: {},
    price: null,
    strict: false,
    timeoutMs: null,
    fallbacks: [],
  };
}
