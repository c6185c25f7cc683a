import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../base/json-schema/values.ts';
import { formatPath } from '../../../base/shared/issues.ts';
import type { ConnectorDefinition } from '../definition/schema.ts';
import { own } from './values.ts';

export interface ImportChange {
  change: 'added' | 'removed' | 'changed';
  of: 'resource' | 'schema';
  name: string;
  label: string;
  /** `parameters.query.properties.limit is new`, for example. Empty unless `changed`. */
  details: string[];
}

const MAX_VALUE = 80;

/** How an import changes what is called. Settings that no document has stay, and are no change. */
export function changesOfImport(before: ConnectorDefinition, after: ConnectorDefinition): ImportChange[] {
  return [
    ...compared('resource', before.resources, after.resources, (_, { method, path }) => `${method} ${path}`),
    ...compared('schema', before.schemas ?? {}, after.schemas ?? {}, (name) => name),
  ];
}

export function changeLines(changes: readonly ImportChange[]): string[] {
  return changes.flatMap(({ change, of, name, label, details }) => {
    const [what, named] = of === 'resource' ? [label, ` (${name})`] : [`schema ${label}`, ''];
    if (change === 'changed') return details.map((detail) => `${what}: ${detail}`);
    return [`${what} is ${change === 'added' ? 'new' : 'gone'}${named}`];
  });
}

function compared<Item>(
  of: ImportChange['of'],
  before: Record<string, Item>,
  after: Record<string, Item>,
  labelOf: (name: string, item: Item) => string,
): ImportChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): ImportChange[] => {
    const was = own(before, name);
    const is = own(after, name);
    const label = labelOf(name, (is ?? was)!);
    if (was === undefined || is === undefined) {
      return [{ change: is === undefined ? 'removed' : 'added', of, name, label, details: [] }];
    }
    const details = differences(was, is, []);
    return details.length === 0 ? [] : [{ change: 'changed', of, name, label, details }];
  });
}

function differences(before: unknown, after: unknown, path: string[]): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(own(before, name), own(after, name), [...path, name]));
  }
  const at = formatPath(path);
  if (before === undefined) return [`${at} is new`];
  if (after === undefined) return [`${at} is gone`];
  const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
  return [was.length + is.length > MAX_VALUE ? `${at} has changed` : `${at} is ${is}, was ${was}`];
}
