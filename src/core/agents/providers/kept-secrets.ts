import { unprocessable } from '../../base/shared/errors.ts';
import type { Secret } from './secret-schema.ts';
import { type KeptSecrets, type SealedDefinition, type SealedSecret, secretsIn } from './secrets.ts';
import type { PutModelProvider } from './shown.ts';

/** In place of a secret in a PUT: the stored one stays, as answers show it. */
const KEEP = 'set';
/** Stands for a kept secret while the definition is checked. */
const PLACEHOLDER = 'kept';

export interface WithKeptSecrets {
  /** For `providerDefinitionSchema`, with placeholders. */
  definition: Record<string, unknown>;
  kept: KeptSecrets;
}

/**
 * Adds the stored secrets that a change leaves out. Throws `unprocessable` if one would go to
 * another address or vendor than it was given for.
 */
export function withKeptSecrets(
  { apiKey, headers, ...members }: PutModelProvider,
  stored: SealedDefinition | null,
): WithKeptSecrets {
  const known: Map<string, SealedSecret> = stored ? secretsIn(stored) : new Map();
  const kept = new Map<string, SealedSecret>();
  const secretOf = (field: string, wanted: Secret | undefined): Secret | undefined => {
    if (wanted !== undefined && wanted !== KEEP) return wanted;
    const secret = known.get(field);
    if (!secret) return wanted === undefined ? undefined : noneStored(field);
    kept.set(field, secret);
    return 'env' in secret ? secret : PLACEHOLDER;
  };
  const key = apiKey === null ? undefined : secretOf('apiKey', apiKey);
  const names = Object.entries(headers ?? stored?.headers ?? {}).map(([name]) => name);
  const values = names.map((name) => [name, secretOf(`headers.${name}`, headers?.[name])]);
  if (stored) refuseMove(members, stored, [...kept.keys()], headers !== undefined);
  return {
    definition: {
      ...members,
      ...(key === undefined ? {} : { apiKey: key }),
      ...(headers === undefined && values.length === 0 ? {} : { headers: Object.fromEntries(values) }),
    },
    kept,
  };
}

function noneStored(field: string): never {
  throw unprocessable(`${field}: "${KEEP}" keeps the stored one, and none is stored; send it.`);
}

/** A key must not be sent to another host than the one it was given for. */
function refuseMove(
  after: Pick<PutModelProvider, 'provider' | 'baseUrl'>,
  before: Pick<SealedDefinition, 'provider' | 'baseUrl'>,
  kept: readonly string[],
  namesHeaders: boolean,
): void {
  const [field] = kept;
  const moved = (['provider', 'baseUrl'] as const).find((member) => after[member] !== before[member]);
  if (field === undefined || moved === undefined) return;
  const named = field === 'apiKey' || namesHeaders ? field : 'headers';
  const without = named === 'headers' ? '{} removes them' : named === 'apiKey' ? 'null removes it' : 'or leave it out';
  const of = moved === 'provider' ? 'the former vendor' : 'the former address';
  throw unprocessable(
    `${named}: send it with the new ${moved}; what is stored was given for ${of} and is not sent elsewhere (${without}).`,
  );
}
