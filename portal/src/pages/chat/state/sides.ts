import { type Capabilities, capabilitiesOf } from '../../../../../src/core/agents/chat/capabilities.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { VENDOR_LABELS, type Vendor } from '../../settings/providers/providers.ts';

type Providers = Schemas['ModelProviders'];

/** A provider that can be asked: a vendor with a key in the environment, or one that the tenant has defined. */
export interface Source {
  vendor: Vendor;
  /** Requests name it by this; null for a vendor. */
  name: string | null;
  label: string;
  testModel: string | null;
  isPrivate: boolean;
  overrides: Partial<Capabilities>;
}

/** A model of a source. Two sides answer the same conversation beside each other. */
export interface Side {
  vendor: Vendor;
  name: string | null;
  model: string;
}

/** The configured providers, the tenant's own first. */
export function sourcesOf({ vendors, providers }: Providers): Source[] {
  const defined = providers.map(({ definition, testModel }): Source => {
    const { name, provider, allowPrivateNetwork, capabilities } = definition;
    const overrides = capabilities as Partial<Capabilities>;
    const label = provider === 'custom' ? name : `${name} (${VENDOR_LABELS[provider]})`;
    return { vendor: provider, name, label, testModel, isPrivate: allowPrivateNetwork, overrides };
  });
  const withKey = vendors.filter(({ key, problem }) => key === 'environment' && problem === null);
  const ofVendors = withKey.map(({ provider, testModel }): Source => {
    return { vendor: provider, name: null, label: VENDOR_LABELS[provider], testModel, isPrivate: false, overrides: {} };
  });
  return [...defined, ...ofVendors];
}

type Named = Pick<Side, 'vendor' | 'name'>;

/** Names a source in a list of choices. */
export const keyOf = ({ vendor, name }: Named): string => (name === null ? vendor : `${vendor} ${name}`);

export function sourceOf(sources: readonly Source[], side: Named): Source | undefined {
  return sources.find((source) => keyOf(source) === keyOf(side));
}

/** The side that a conversation begins with. */
export function firstSide({ vendor, name, testModel }: Source): Side {
  return { vendor, name, model: testModel ?? '' };
}

/** The capabilities of the model, as the server judges them. */
export function takenBy(sources: readonly Source[], { vendor, name, model }: Side, legacy: boolean): Capabilities {
  const { isPrivate = false, overrides = {} } = sourceOf(sources, { vendor, name }) ?? {};
  return capabilitiesOf({ provider: vendor, model, legacy, isPrivate }, overrides);
}

/** "llama3.2 of local" in code: `local/llama3.2`. */
export const sideText = ({ vendor, name, model }: Side): string => `${name ?? vendor}/${model}`;

export function isSameSide(one: Side, other: Side): boolean {
  return keyOf(one) === keyOf(other) && one.model === other.model;
}
