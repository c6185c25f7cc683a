import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json-schema/values.ts';
import { formatPath } from '../../base/shared/issues.ts';
import type { Change } from './schema.ts';

/** What differs, member by member. A member that one side lacks is left out of its change. */
export function changesBetween(before: unknown, after: unknown, path: PropertyKey[] = []): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [one, other] = [membersOf(before), membersOf(after)];
  if (one === null || other === null || Array.isArray(before) !== Array.isArray(after)) {
    const sides = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    return [{ path: formatPath(path), ...sides }];
  }
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].flatMap((key) => changesBetween(one.get(key), other.get(key), [...path, key]));
}

function membersOf(value: unknown): Map<PropertyKey, unknown> | null {
  if (Array.isArray(value)) return new Map(value.entries());
  return isObject(value) ? new Map(Object.entries(value)) : null;
}
