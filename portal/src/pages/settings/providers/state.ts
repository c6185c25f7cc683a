import type { Schemas } from '../../../api/schemas.ts';
import { mergedWith } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';
import { isObject } from '../../../question/state/text.ts';
import { type Provider, VENDOR_LABELS, type Vendor } from './providers.ts';

type PutRequest = Schemas['PutModelProvider'];
type Definition = Provider['definition'];
type Fallback = NonNullable<PutRequest['fallbacks']>[number];

/** The texts of the fields, and the members that have none. */
export interface ProviderForm {
  name: string;
  provider: Vendor;
  baseUrl: string;
  /** Empty: the stored one stays. */
  apiKey: string;
  removesKey: boolean;
  region: string;
  temperature: string;
  maxTokens: string;
  instructions: string;
  /** A line for each: vendor or provider, and model. */
  fallbacks: string;
  inputPerMillion: string;
  outputPerMillion: string;
  timeout: string;
  allowPrivateNetwork: boolean;
  /** Members and default members without a field. */
  rest: Partial<PutRequest>;
}

/** Paths of the request that have fields. */
export const PATHS = [
  ...['name', 'provider', 'baseUrl', 'apiKey', 'region', 'fallbacks', 'timeout', 'allowPrivateNetwork'],
  ...['defaults.temperature', 'defaults.maxTokens', 'defaults.instructions'],
  ...['price.inputPerMillion', 'price.outputPerMillion'],
];

export function emptyForm(provider: Vendor): ProviderForm {
  return {
    ...{ name: '', provider, baseUrl: '', apiKey: '', removesKey: false, region: '', fallbacks: '', timeout: '' },
    ...{ temperature: '', maxTokens: '', instructions: '', inputPerMillion: '', outputPerMillion: '' },
    ...{ allowPrivateNetwork: false, rest: {} },
  };
}

export function formOf(definition: Definition | (PutRequest & { name: string })): ProviderForm {
  const {
    name,
    provider,
    baseUrl,
    apiKey,
    region,
    defaults = {},
    price,
    fallbacks = [],
    timeout,
    ...others
  } = definition;
  const { temperature, maxTokens, instructions, ...otherDefaults } = defaults;
  const { allowPrivateNetwork = false, ...rest } = others;
  const typed = typeof apiKey === 'string' && apiKey !== 'set' ? apiKey : '';
  return {
    ...{ name, provider, baseUrl: baseUrl ?? '', apiKey: typed, removesKey: apiKey === null, region: region ?? '' },
    ...{ temperature: textOf(temperature), maxTokens: textOf(maxTokens), instructions: instructions ?? '' },
    fallbacks: fallbacks.map(lineOf).join('\n'),
    inputPerMillion: textOf(price?.inputPerMillion),
    outputPerMillion: textOf(price?.outputPerMillion),
    ...{ timeout: textOf(timeout), allowPrivateNetwork },
    rest: {
      ...(rest as Partial<PutRequest>),
      defaults: otherDefaults,
      // A variable has no field: it is sent as it is.
      ...(typeof apiKey === 'object' && apiKey !== null && { apiKey }),
    },
  };
}

/** An empty key of a stored provider is left out and stays. `vendorOf` knows the other providers. */
export function requestOf(form: ProviderForm, vendorOf: (name: string) => Vendor | undefined): PutRequest {
  const { provider, apiKey, removesKey, allowPrivateNetwork, rest } = form;
  const { apiKey: variable, ...others } = rest;
  const key = removesKey ? null : apiKey.trim() || variable;
  const price = {
    ...optional('inputPerMillion', numberOf(form.inputPerMillion)),
    ...optional('outputPerMillion', numberOf(form.outputPerMillion)),
  };
  return {
    ...others,
    provider,
    ...optional('baseUrl', form.baseUrl.trim() || undefined),
    ...optional('apiKey', key),
    ...optional('region', provider === 'bedrock' ? form.region.trim() || undefined : undefined),
    defaults: {
      ...others.defaults,
      ...optional('temperature', numberOf(form.temperature)),
      ...optional('maxTokens', numberOf(form.maxTokens)),
      ...optional('instructions', form.instructions.trim() || undefined),
    },
    fallbacks: fallbacksOf(form.fallbacks, vendorOf),
    ...(Object.keys(price).length > 0 && { price: price as NonNullable<PutRequest['price']> }),
    ...optional('timeout', numberOf(form.timeout)),
    allowPrivateNetwork,
  };
}

const ORDER = ['provider', 'baseUrl', 'apiKey', 'headers', 'region', 'defaults', 'capabilities', 'price', 'fallbacks'];

/** The definition as the JSON text that can be edited; a kept key is shown as `set`. */
export function jsonOf(request: PutRequest, hasKey: boolean): string {
  const { apiKey = hasKey ? 'set' : undefined, ...others } = request;
  const members: PutRequest = { ...others, ...optional('apiKey', apiKey) };
  const place = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  const ordered = Object.entries(members).sort(([one], [other]) => place(one) - place(other));
  return JSON.stringify(Object.fromEntries(ordered), null, 2);
}

/** The request of a typed JSON text. Throws what is wrong with the text. */
export function requestOfJson(text: string): PutRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(t('This is not JSON yet: {problem}', { problem: error instanceof Error ? error.message : '' }));
  }
  if (!isObject(value)) throw new Error(t('A provider is an object with the member provider.'));
  return value as PutRequest;
}

/** Members that only somebody else has changed since `start` are theirs, also those without a field. */
export function mergedForm(form: ProviderForm, start: ProviderForm, theirs: ProviderForm): ProviderForm {
  return { ...mergedWith(form, start, theirs), rest: mergedWith(form.rest, start.rest, theirs.rest) };
}

const LABELS: Partial<Record<keyof ProviderForm, string>> = {
  ...{ provider: t('Vendor'), baseUrl: t('Base URL'), region: t('Region'), temperature: t('Temperature') },
  ...{ maxTokens: t('Most tokens of an answer'), instructions: t('Instructions'), fallbacks: t('Fallbacks') },
  ...{ inputPerMillion: t('Price of input'), outputPerMillion: t('Price of output'), timeout: t('Timeout') },
  ...{ allowPrivateNetwork: t('Private network'), rest: t('Other members') },
};

/** For `BothVersions`. */
export function differencesOf(mine: ProviderForm, theirs: ProviderForm) {
  const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  const labels = Object.entries(LABELS) as [keyof ProviderForm, string][];
  return labels.map(([name, label]) => ({ label, mine: text(mine[name]), theirs: text(theirs[name]) }));
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** A text that is no number is sent as it is: the server says so at the field. */
function numberOf(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text.replace(',', '.'));
  return Number.isNaN(number) ? (text as unknown as number) : number;
}

function lineOf({ provider, providerName, model }: Fallback): string {
  if (providerName === undefined) return `${provider} ${model}`;
  return `${isVendor(providerName) ? `${provider}:` : ''}${providerName} ${model}`;
}

const isVendor = (name: string): name is Vendor => Object.hasOwn(VENDOR_LABELS, name);

/** `openai gpt-5`, `local llama3.2`, or `custom:openai llama3.2` for a provider called like a vendor. */
function fallbacksOf(text: string, vendorOf: (name: string) => Vendor | undefined): Fallback[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, named = '', model = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    const [first = '', ...others] = named.split(':');
    if (others.length > 0) return { provider: first as Vendor, providerName: others.join(':'), model };
    if (isVendor(first)) return { provider: first, model };
    return { provider: vendorOf(first) ?? 'custom', providerName: first, model };
  });
}
