import { listNames } from '../../../base/shared/names.ts';
import { fieldOf, nameOfProperty } from '../predicates.ts';
import type { RawPlan, Selection } from '../query-plan.ts';
import type { QueryContext } from '../questions/ask.ts';
import type { JsonType, KnownProperty } from '../store.ts';
import { MAX_PROPERTIES } from './schema.ts';

export interface ChangeCandidates {
  properties: string[];
  /** Sentences on what was not looked at. */
  notes: string[];
}

const SAMPLE = 1_000;
/** JSON of them: of large events fewer are looked at. */
const SAMPLE_BYTES = 1024 * 1024;
/** With more values a property names single things and explains nothing. */
const MAX_VALUES = 200;
/** Up to so many values a property is looked at however rarely they repeat. */
const FEW_VALUES = 20;

/**
 * Properties that all the events have, with values that repeat, among the newest events of the
 * period.
 */
export async function candidatesFor(
  eventNames: readonly string[],
  selection: Selection,
  measured: readonly (string | undefined)[],
  { store, caller, signal }: QueryContext,
): Promise<ChangeCandidates> {
  const known = await Promise.all(
    eventNames.map((name) => store.knownProperties(caller.tenantId, selection.agentId, [name])),
  );
  const names = sharedNames(known).filter((name) => !measured.includes(name));
  const { rows } =
    names.length === 0 ? { rows: [] } : await store.query(caller.tenantId, newest(selection, names), signal);
  const seen = names.map((name, index) => ({ name, ...repetition(rows.map((row) => row[index])) }));
  const usable = seen.filter(({ present, different }) => different <= FEW_VALUES || isRepeated(present, different));
  const unique = seen.filter((one) => !usable.includes(one)).map(({ name }) => name);
  const fitting = usable.toSorted((one, other) => other.present - one.present).slice(0, MAX_PROPERTIES);
  const others = usable.filter((one) => !fitting.includes(one)).map(({ name }) => name);
  return {
    properties: [...(selection.agentId === null ? ['agentId'] : []), ...fitting.map(({ name }) => name)],
    notes: [
      ...(unique.length > 0 ? [`Not looked at, because their values hardly repeat: ${listNames(unique)}.`] : []),
      ...(others.length > 0
        ? [`Not looked at, because there are many: ${listNames(others)}; name them in properties.`]
        : []),
    ],
  };
}

const SCALARS = new Set<JsonType>(['string', 'number', 'boolean']);

function sharedNames(known: KnownProperty[][]): string[] {
  const [first = [], ...others] = known.map((properties) =>
    properties.filter(({ types }) => types.every((type) => SCALARS.has(type))).map(({ key }) => nameOfProperty(key)),
  );
  return [...new Set(first)].filter((name) => others.every((names) => names.includes(name)));
}

function newest(selection: Selection, names: string[]): RawPlan {
  return {
    kind: 'raw',
    selection,
    columns: names.map(fieldOf),
    sort: { field: fieldOf('timestamp'), descending: true },
    limit: SAMPLE,
    offset: 0,
    page: SAMPLE_BYTES,
  };
}

function repetition(values: unknown[]): { present: number; different: number } {
  const present = values.filter((value) => value !== null && value !== undefined);
  return { present: present.length, different: new Set(present).size };
}

function isRepeated(present: number, different: number): boolean {
  return different <= MAX_VALUES && different <= present / 2;
}
