import { z } from 'zod';
import { parse } from '../../../base/shared/parse.ts';
import { nameOfProperty } from '../predicates.ts';
import { groupKeysSchema } from '../schema.ts';
import type { QueryContext } from './ask.ts';
import { keysOf } from './plan.ts';

const MAX_KEYS = 3;

type Keys = string | string[] | undefined;

interface Question {
  eventName: string;
  agentId: string | null;
  /** The member that names the groups. */
  field: 'group_by' | 'groupBy';
}

/**
 * `plan,country` and `["plan","country"]` as text are several keys, unless a property has that very
 * name. Throws `invalid`.
 */
export async function groupKeysOf(
  keys: Keys,
  { eventName, agentId, field }: Question,
  { store, caller }: QueryContext,
): Promise<Keys> {
  const [text = '', ...others] = keysOf(keys);
  const list = listIn(text);
  const parts = text.split(',').map((part) => part.trim());
  if (others.length > 0 || (list === null && !areKeys(parts))) return keys;
  const known = await store.knownProperties(caller.tenantId, agentId, [eventName]);
  if (known.some(({ key }) => key === text || nameOfProperty(key) === text)) return keys;
  if (list === null) return parts;
  return list.length === 0 ? undefined : parse(groupKeysAs(field), { [field]: list })[field];
}

function areKeys(parts: string[]): boolean {
  const isAmount = parts.length > 1 && parts.length <= MAX_KEYS;
  return isAmount && parts.every((part) => part !== '') && new Set(parts).size === parts.length;
}

function groupKeysAs(field: Question['field']) {
  return z.object({ [field]: groupKeysSchema });
}

function listIn(text: string): unknown[] | null {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return null;
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return null;
  }
}
