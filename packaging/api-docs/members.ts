import { nameOf, type Schema } from './document.ts';

export interface Member {
  /** Path from the root: `tickets[].id`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** The members of an object, each followed by its nested members; named schemas become links. */
export function membersOf(schema: Schema, prefix = ''): Member[] {
  // A nullable object has the members of its non-null alternative.
  const alternatives = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type !== 'null');
  if (alternatives?.some(({ properties }) => properties)) return membersOfAny(alternatives, prefix);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    {
      name: `${prefix}${name}`,
      type: typeOf(member),
      isRequired: schema.required?.includes(name) ?? false,
      description: describe(member),
    },
    ...membersWithin(member, `${prefix}${name}`),
  ]);
}

function membersWithin(schema: Schema, name: string): Member[] {
  if (schema.items) return membersWithin(schema.items, `${name}[]`);
  return schema.$ref ? [] : membersOf(schema, `${name}.`);
}

/** The union of the members of all alternatives, with all their types. */
function membersOfAny(alternatives: Schema[], prefix: string): Member[] {
  const lists = alternatives.map((one) => membersOf(one, prefix));
  const byName = Map.groupBy(lists.flat(), ({ name }) => name);
  return [...byName].map(([name, members]) => ({
    name,
    type: joined(members.map(({ type }) => type)),
    isRequired: members.length === alternatives.length && members.every(({ isRequired }) => isRequired),
    description: members.find(({ description }) => description)?.description ?? '',
  }));
}

function describe({ description = '', default: byDefault }: Schema): string {
  // Many descriptions name the default.
  if (byDefault === undefined || /default/i.test(description)) return description;
  return `${description} Default \`${JSON.stringify(byDefault)}\`.`.trim();
}

/** The type in words, with links to named schemas. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return `[${nameOf(schema.$ref)}](#${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return joined(schema.enum.map(code));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return joined(alternatives.map(typeOf));
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  if (schema.format === 'binary') return 'file';
  const types = [schema.type ?? 'any JSON'].flat();
  return `${types.join(' or ')}${schema.format ? ` (${schema.format})` : ''}`;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** `a, b or c`, without duplicates. */
function joined(types: string[]): string {
  const each = [...new Set(types)];
  return [each.slice(0, -1).join(', '), ...each.slice(-1)].filter((text) => text !== '').join(' or ');
}
