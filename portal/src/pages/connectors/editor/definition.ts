import { isObject } from '../../../question/state/text.ts';
import type { Definition, EnvironmentName, Resource } from '../types.ts';
import { type JsonFault, jsonFault } from './json-lines.ts';

/** A definition that is being written: any member may be missing, or be another than the server takes. */
export type Draft = Partial<Omit<Definition, 'resources'>> & { resources?: Record<string, Partial<Resource>> };

type Environments = NonNullable<Draft['environments']>;

export const AUTH_TYPES = ['none', 'bearer', 'basic', 'apiKey', 'oauth2'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

export const EMPTY: Draft = {
  name: '',
  environments: { production: { baseUrl: '' } },
  resources: { list: { method: 'GET', path: '/' } },
};

export function textOfDraft(draft: object): string {
  return JSON.stringify(draft, null, 2);
}

/** The definition of a typed text, or the error in the text. `notObject`: the message for other JSON. */
export function draftOf(text: string, notObject: string): { draft: Draft } | { fault: JsonFault } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { draft: value as Draft } : { fault: { line: 1, message: notObject } };
  } catch (error) {
    return { fault: jsonFault(text, error) };
  }
}

/** The members that have fields, as their texts. */
export interface DraftFields {
  slug: string;
  name: string;
  description: string;
  production: string;
  staging: string;
  authType: AuthType;
  /** The header or parameter of an API key. */
  keyName: string;
  keyIn: 'header' | 'query';
  tokenUrl: string;
  credential: string;
  timeoutMs: string;
}

/** The path of each field in the definition: messages of the server appear at them. */
export const PATHS: Record<keyof DraftFields, string> = {
  slug: 'slug',
  name: 'name',
  description: 'description',
  production: 'environments.production.baseUrl',
  staging: 'environments.staging.baseUrl',
  authType: 'auth.type',
  keyName: 'auth.name',
  keyIn: 'auth.in',
  tokenUrl: 'auth.tokenUrl',
  credential: 'credentials',
  timeoutMs: 'timeoutMs',
};

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

export function fieldsOf(draft: Draft): DraftFields {
  const { environments = {} } = draft;
  const auth: Record<string, unknown> = isObject(draft.auth) ? draft.auth : {};
  const secrets = Object.values(environments).map((environment) => environment?.secret);
  const named = secrets.find((secret) => secret !== undefined && 'credential' in secret);
  return {
    slug: textOf(draft.slug),
    name: textOf(draft.name),
    description: textOf(draft.description),
    production: textOf(environments.production?.baseUrl),
    staging: textOf(environments.staging?.baseUrl),
    authType: AUTH_TYPES.find((type) => type === auth.type) ?? 'none',
    keyName: textOf(auth.name),
    keyIn: auth.in === 'query' ? 'query' : 'header',
    tokenUrl: textOf(auth.tokenUrl),
    credential: named && 'credential' in named ? named.credential : '',
    timeoutMs: textOf(draft.timeoutMs),
  };
}

/** Members without a field, and those of fields that did not change, stay as they are. */
export function withFields(draft: Draft, changed: Partial<DraftFields>): Draft {
  const next: Draft = { ...draft };
  if (changed.slug !== undefined) next.slug = changed.slug;
  if (changed.name !== undefined) next.name = changed.name;
  if (changed.description !== undefined) setOrDelete(next, 'description', changed.description || undefined);
  if (changed.timeoutMs !== undefined) setOrDelete(next, 'timeoutMs', numberOf(changed.timeoutMs));
  for (const name of ['production', 'staging'] as const) {
    const baseUrl = changed[name];
    if (baseUrl !== undefined) next.environments = withAddress(next, name, baseUrl);
  }
  const fields = { ...fieldsOf(draft), ...changed };
  const { authType, keyName, keyIn, tokenUrl, credential } = changed;
  if ([authType, keyName, keyIn, tokenUrl].some((value) => value !== undefined)) next.auth = authOf(next, fields);
  if (credential !== undefined || authType !== undefined) setCredential(next, fields);
  return next;
}

function setOrDelete<Name extends keyof Draft>(draft: Draft, name: Name, value: Draft[Name] | undefined): void {
  if (value === undefined) delete draft[name];
  else draft[name] = value;
}

/** A text that is no number is sent as it is: the server says so at the field. */
function numberOf(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isNaN(number) ? (text as unknown as number) : number;
}

/** A second environment has the secret of the first. */
function withAddress({ environments = {} }: Draft, name: EnvironmentName, baseUrl: string): Environments {
  const { [name]: before, ...others } = environments;
  if (baseUrl === '') return others;
  const secret = before ? undefined : (environments.production ?? environments.staging)?.secret;
  return { ...others, [name]: { ...before, ...(secret && { secret }), baseUrl } };
}

function authOf({ auth }: Draft, { authType, keyName, keyIn, tokenUrl }: DraftFields): Definition['auth'] {
  const kept = isObject(auth) && auth.type === authType ? auth : {};
  switch (authType) {
    case 'apiKey':
      return { ...kept, type: authType, in: keyIn, name: keyName };
    case 'oauth2':
      return { ...kept, type: authType, tokenUrl } as Definition['auth'];
    default:
      return { ...kept, type: authType };
  }
}

/** The credential that every environment uses. Without authentication none does. */
function setCredential(draft: Draft, { authType, credential }: DraftFields): void {
  const { credential: before } = fieldsOf(draft);
  const name = authType === 'none' ? '' : credential;
  draft.credentials = (draft.credentials ?? []).filter((one) => one !== before && one !== name);
  if (name !== '') draft.credentials.push(name);
  draft.environments = Object.fromEntries(
    Object.entries(draft.environments ?? {}).map(([environment, { secret: _, ...members }]) => [
      environment,
      { ...members, ...(name !== '' && { secret: { credential: name } }) },
    ]),
  );
}
