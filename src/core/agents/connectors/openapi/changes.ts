import { isDeepStrictEqual } from 'node:util';
import { nameOfReference } from '../../../base/json-schema/references.ts';
import { isObject, type JsonSchema } from '../../../base/json-schema/values.ts';
import type { ConnectorDefinition } from '../definition/members.ts';
import type { Resource } from '../definition/resource-schema.ts';
import { type JsonObject, listOf, objectOf, own } from './values.ts';

export interface ImportChange {
  change: 'added' | 'removed' | 'changed';
  of: 'resource' | 'schema';
  name: string;
  label: string;
  /** `query parameter limit is new`, for example. Empty unless `changed`. */
  details: string[];
}

export function changesBetween(before: ConnectorDefinition, after: ConnectorDefinition): ImportChange[] {
  return [
    ...compared('resource', before.resources, after.resources, labelOf, changesOfResource),
    ...compared(
      'schema',
      before.schemas ?? {},
      after.schemas ?? {},
      (_, name) => name,
      (one, other) => changesOfSchema(one, other, 'member'),
    ),
  ];
}

export function changeLines(changes: readonly ImportChange[]): string[] {
  return changes.flatMap(({ change, of, name, label, details }) => {
    const what = of === 'resource' ? label : `schema ${label}`;
    if (change === 'added') return [of === 'resource' ? `${what} is new (${name})` : `${what} is new`];
    if (change === 'removed') return [of === 'resource' ? `${what} is gone (${name})` : `${what} is gone`];
    return details.map((detail) => `${what}: ${detail}`);
  });
}

function labelOf({ method, path }: Resource): string {
  return `${method} ${path}`;
}

function compared<Item>(
  of: ImportChange['of'],
  before: Record<string, Item>,
  after: Record<string, Item>,
  label: (item: Item, name: string) => string,
  detailsOf: (before: Item, after: Item) => string[],
): ImportChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): ImportChange[] => {
    const was = own(before, name);
    const is = own(after, name);
    if (was === undefined) return [{ change: 'added', of, name, label: label(is!, name), details: [] }];
    if (is === undefined) return [{ change: 'removed', of, name, label: label(was, name), details: [] }];
    const details = detailsOf(was, is);
    return details.length === 0 ? [] : [{ change: 'changed', of, name, label: label(is, name), details }];
  });
}

const STYLED = [
  ['pathStyles', 'parameter', 'simple'],
  ['queryStyles', 'query parameter', 'form'],
  ['headerStyles', 'header', 'simple'],
  ['formStyles', 'body member', 'JSON or repeated'],
] as const;

function changesOfResource(before: Resource, after: Resource): string[] {
  const details: string[] = [];
  if (before.method !== after.method) details.push(`method was ${before.method}`);
  if (before.path !== after.path) details.push(`path was ${before.path}`);
  for (const [location, what] of [
    ['path', 'parameter'],
    ['query', 'query parameter'],
    ['headers', 'header'],
  ] as const) {
    details.push(...changesOfSchema(before.parameters[location] ?? {}, after.parameters[location] ?? {}, what));
  }
  for (const [member, what, usual] of STYLED) {
    const styles = [before[member] ?? {}, after[member] ?? {}] as const;
    for (const name of new Set(styles.flatMap(Object.keys))) {
      const [was = usual, is = usual] = styles.map((all) => all[name]);
      if (was !== is) details.push(`${what} ${name} is written as ${is}, was ${was}`);
    }
  }
  if (before.bodyType === after.bodyType && (before.formStyles === undefined) !== (after.formStyles === undefined)) {
    details.push(
      `lists and objects of the form are written ${after.formStyles ? "as OpenAPI's forms are" : 'in brackets'}`,
    );
  }
  if (!isDeepStrictEqual(before.allowReserved, after.allowReserved)) details.push('allowReserved has changed');
  for (const member of ['contentType', 'partTypes'] as const) {
    if (!isDeepStrictEqual(before[member], after[member])) details.push(`${member} of the body has changed`);
  }
  details.push(...changesOfBody(before.parameters.body, after.parameters.body));
  if (before.parameters.body && after.parameters.body && before.bodyOptional !== after.bodyOptional) {
    details.push(`body is ${after.bodyOptional ? 'optional' : 'required'}`);
  }
  if (before.bodyType !== after.bodyType) details.push(`body is sent as ${after.bodyType}, was ${before.bodyType}`);
  if (before.description !== after.description) details.push('description has changed');
  if (!isDeepStrictEqual(before.mock, after.mock)) details.push('mock has changed');
  return details;
}

function changesOfBody(before: JsonSchema | undefined, after: JsonSchema | undefined): string[] {
  if (before === undefined || after === undefined) {
    if (before === after) return [];
    return [before === undefined ? 'body is new' : 'body is gone'];
  }
  return changesOfSchema(before, after, 'body member').map((detail) => (detail === WHOLE ? `body ${WHOLE}` : detail));
}

const WHOLE = 'has changed';

function changesOfSchema(before: JsonSchema, after: JsonSchema, what: string): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [was, is] = [objectOf(before.properties), objectOf(after.properties)];
  const [neededBefore, needed] = [listOf(before.required), listOf(after.required)];
  const details = [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    changesOfMember(`${what} ${name}`, pick(was, name, neededBefore), pick(is, name, needed)),
  );
  return details.length === 0 ? [WHOLE] : details;
}

interface Member {
  schema: JsonObject | undefined;
  required: boolean;
}

function pick(properties: JsonObject, name: string, required: unknown[]): Member {
  const schema = Object.hasOwn(properties, name) ? objectOf(properties[name]) : undefined;
  return { schema, required: required.includes(name) };
}

function changesOfMember(what: string, before: Member, after: Member): string[] {
  if (after.schema === undefined) return [`${what} is gone`];
  if (before.schema === undefined) return [`${what} is new${after.required ? ' and required' : ''}`];
  const details: string[] = [];
  const [was, is] = [typeOf(before.schema), typeOf(after.schema)];
  if (was !== is) details.push(`${what}: ${is} was ${was}`);
  else if (!isDeepStrictEqual(before.schema, after.schema)) details.push(`${what} has changed`);
  if (before.required !== after.required) {
    details.push(after.required ? `${what} is required now` : `${what} is no longer required`);
  }
  return details;
}

function typeOf(schema: JsonObject): string {
  const reference = nameOfReference(schema.$ref);
  if (reference !== null) return reference;
  if (schema.type !== undefined) return [schema.type].flat().join(' or ');
  const choices = listOf(schema.anyOf ?? schema.oneOf).filter(isObject);
  return choices.length > 0 ? [...new Set(choices.map(typeOf))].join(' or ') : 'anything';
}
