import type { EventFilter } from '../../../base/filters/filter-schema.ts';
import { alikeNames } from '../../../base/shared/alike-names.ts';
import { listNames } from '../../../base/shared/names.ts';
import { frequentValues, goesWithoutValues, listed } from '../discovery/discovery.ts';
import { fieldOf, nameOfProperty } from '../predicates.ts';
import type { JsonType, KnownProperty } from '../store.ts';
import type { QueryContext } from './ask.ts';
import { explainEvent, type NamesInQuestion } from './explain-event.ts';
import { leftOutTexts } from './left-out.ts';

/** Sentences on unknown names, impossible filters, and when a known event was last seen. */
export async function explain(context: QueryContext, asked: NamesInQuestion): Promise<string[]> {
  const { store } = context;
  const { tenantId } = context.caller;
  const others = asked.otherEventNames ?? [];
  const suspects = [...(asked.matched > 0 ? [] : [asked.eventName]), ...others];
  const known = suspects.length > 0 ? listed(await store.knownEvents(tenantId, null), suspects.join(' ')) : [];
  const sentences = [...new Set(suspects)].flatMap((name) => explainEvent(name, known, asked));
  const keys = [...new Set([...asked.filters.map((filter) => filter.propertyKey), ...asked.keys])].filter(isProperty);
  if (keys.length === 0) return bounded(sentences);
  const names = [...new Set([asked.eventName, ...others])];
  const properties = await propertiesOf(context, asked.agentId, names, keys.map(nameOf)).catch(withoutProperties);
  if (properties === null) return bounded(sentences);
  if (properties.length === 0 && asked.matched === 0) return bounded(sentences);
  return bounded([
    ...sentences,
    ...(await explainGroups(context, asked)),
    ...explainKeys(keys, properties, names),
    ...(asked.measured && asked.matched > 0 ? await leftOutTexts(asked.measured, properties, context) : []),
    ...asked.filters.flatMap((one) => explainType(one, properties)),
    ...(asked.matched > 0 ? [] : await explainValues(context, asked)),
  ]);
}

/** All of them only for hints on a key that is unknown: to find them takes time. */
async function propertiesOf(
  { store, caller: { tenantId } }: QueryContext,
  agentId: string | null,
  names: string[],
  keys: string[],
): Promise<KnownProperty[]> {
  const asked = keys.flatMap((key) => [key, ...parentsOf(key)]);
  const properties = await store.knownProperties(tenantId, agentId, names, asked);
  const areKnown = keys.every((key) => isKnown(key, properties));
  return areKnown ? properties : store.knownProperties(tenantId, agentId, names);
}

/** The answer is correct without its explanation. */
function withoutProperties(error: unknown): null {
  if (goesWithoutValues(error)) return null;
  throw error;
}

function parentsOf(key: string): string[] {
  const parts = key.split('.');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'));
}

async function explainGroups({ store, caller }: QueryContext, asked: NamesInQuestion): Promise<string[]> {
  const keys = (asked.groupKeys ?? []).filter(isProperty).map(nameOf);
  const others = [...new Set(asked.otherEventNames)].filter((name) => name !== asked.eventName);
  if (keys.length === 0) return [];
  const sentences = others.map(async (name) => {
    const known = await store.knownProperties(caller.tenantId, asked.agentId, [name]);
    const lacking = keys.filter((key) => !isKnown(key, known));
    if (known.length === 0 || lacking.length === 0) return [];
    return [`${JSON.stringify(name)} has no property ${listNames(lacking)}: its events are in no group that has one.`];
  });
  return (await Promise.all(sentences)).flat();
}

const MAX_SENTENCES = 12;

function bounded(sentences: string[]): string[] {
  if (sentences.length <= MAX_SENTENCES) return sentences;
  return [...sentences.slice(0, MAX_SENTENCES), `And ${sentences.length - MAX_SENTENCES} more notes.`];
}

function explainKeys(keys: string[], known: KnownProperty[], eventNames: string[]): string[] {
  const unknown = keys.map(nameOf).filter((name) => !isKnown(name, known));
  if (unknown.length === 0) return [];
  const on = listNames(eventNames);
  const names = [...new Set(known.map((property) => nameOfProperty(property.key)))];
  if (names.length === 0) return [`No property was ever seen on ${on}.`];
  // A comparison with a thousand keys takes tens of milliseconds.
  const compared = unknown.slice(0, MAX_KEYS).map((name) => ({ name, nearest: alikeNames(name, names) }));
  const sentences = compared.map(({ name, nearest }) => {
    const hint = nearest.length > 0 ? ` Nearest known keys: ${listNames(nearest)}.` : '';
    return `No property ${JSON.stringify(name)} is known on ${on}.${hint}`;
  });
  const hasNoHint = compared.some(({ nearest }) => nearest.length === 0);
  return hasNoHint ? [...sentences, `Known keys: ${listNames(names)}.`] : sentences;
}

const MAX_KEYS = 10;

/** Values in a sentence, and filters, each of which takes a query. */
const MAX_VALUES = 10;
const MAX_VALUE_FILTERS = 3;

async function explainValues(context: QueryContext, asked: NamesInQuestion): Promise<string[]> {
  const texts = asked.filters.flatMap(({ propertyKey, ...test }) =>
    isProperty(propertyKey) && test.operator === 'eq' && typeof test.value === 'string'
      ? [{ propertyKey, value: test.value }]
      : [],
  );
  const sentences = texts
    .slice(0, MAX_VALUE_FILTERS)
    .map(({ propertyKey, value }) => explainValue(context, asked, propertyKey, value));
  return (await Promise.all(sentences)).flat();
}

async function explainValue(
  { store, caller, signal }: QueryContext,
  { agentId, eventName }: NamesInQuestion,
  propertyKey: string,
  value: string,
): Promise<string[]> {
  const plan = frequentValues(agentId, eventName, propertyKey, MAX_VALUES);
  const { rows, total } = await store.query(caller.tenantId, plan, signal).catch((error: unknown) => {
    // The zero is correct without its explanation.
    if (goesWithoutValues(error)) return { rows: [], total: 0 };
    throw error;
  });
  const texts = rows.map(([one]) => one).filter((one): one is string => typeof one === 'string' && one.length <= 60);
  const inOtherCase = texts.filter((text) => text.toLowerCase() === value.toLowerCase());
  // When not all values are listed, the value may exist.
  const shown = total > rows.length ? inOtherCase : texts;
  if (shown.length === 0 || rows.some(([one]) => one === value)) return [];
  return [
    `${JSON.stringify(nameOf(propertyKey))} of ${JSON.stringify(eventName)} is ${listNames(shown)}; eq wants it exactly.`,
  ];
}

function explainType(filter: EventFilter, known: KnownProperty[]): string[] {
  const name = nameOf(filter.propertyKey);
  const types = new Set(known.filter((property) => property.key === name).flatMap((property) => property.types));
  if (!isProperty(filter.propertyKey) || types.size === 0 || !('value' in filter)) return [];
  const wanted = wantedTypes(filter);
  if (wanted.some((type) => types.has(type))) return [];
  const held = [...types].join(' or ');
  return [
    `${JSON.stringify(name)} holds ${held}, but the filter ${filter.operator} compares with ${wanted.join(' or ')}: ${adviceFor(types)}.`,
  ];
}

function wantedTypes(filter: Extract<EventFilter, { value: unknown }>): JsonType[] {
  const types = [filter.value].flat().map((value) => typeof value as JsonType);
  if (filter.operator === 'contains' || filter.operator === 'notContains')
    return [...new Set<JsonType>([...types.filter((type) => type === 'string'), 'array'])];
  return [...new Set(types)];
}

function adviceFor(types: Set<JsonType>): string {
  if (types.has('boolean')) return 'send true or false without quotes';
  if (types.has('number')) return 'send a number without quotes, with eq, gt, gte, lt or lte';
  if (types.has('array')) return 'use contains';
  if (types.has('object')) return 'reach inside with a dotted key';
  return 'send a string';
}

function isProperty(key: string): boolean {
  return fieldOf(key).kind === 'property';
}

function nameOf(key: string): string {
  return key.startsWith('properties.') ? key.slice('properties.'.length) : key;
}

/** Keys in arrays and on deep levels are not recorded and count as known. */
function isKnown(name: string, known: KnownProperty[]): boolean {
  return known.some(
    ({ key, types }) =>
      key === name || (name.startsWith(`${key}.`) && types.some((type) => type === 'array' || type === 'object')),
  );
}
