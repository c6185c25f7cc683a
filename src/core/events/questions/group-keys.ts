import { nameOfProperty } from '../predicates.ts';
import type { QueryContext } from './ask.ts';
import { keysOf } from './plan.ts';

const MAX_KEYS = 3;

type Keys = string | string[] | undefined;

/** `plan,country` and `["plan","country"]` as text are several keys, unless a property has that very name. */
export async function groupKeysOf(
  keys: Keys,
  eventName: string,
  agentId: string | null,
  { store, caller }: QueryContext,
): Promise<Keys> {
  const [text = '', ...others] = keysOf(keys);
  const parts = partsOf(text);
  if (others.length > 0 || parts.length < 2) return keys;
  const known = await store.knownProperties(caller.tenantId, agentId, [eventName]);
  return known.some(({ key }) => key === text || nameOfProperty(key) === text) ? keys : parts;
}

function partsOf(text: string): string[] {
  const isList = /^\[.*\]$/s.test(text.trim());
  const parts = (isList ? text.trim().slice(1, -1) : text)
    .split(',')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/s, '$2'));
  const isUsable =
    parts.length <= MAX_KEYS && parts.every((part) => part !== '') && new Set(parts).size === parts.length;
  return isUsable ? parts : [];
}
